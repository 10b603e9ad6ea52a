// Engine: where the record of a launch's warps comes from — the CPU engine, this machine's GPU, or a
// recording from a GPU that comes with the program.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace warplens::app {

enum class Engine : std::uint8_t { simt, cuda, recorded };

inline constexpr std::array engines{Engine::simt, Engine::cuda, Engine::recorded};

/// The word of the command line: "simt", "cuda", "recorded".
std::string_view word_of(Engine engine);
/// The word on screen: "CPU engine", "GPU", "recording".
std::string_view title_of(Engine engine);
std::string_view help_of(Engine engine);

/// The error lists the words.
Result<Engine> parse_engine(std::string_view word);

}  // namespace warplens::app
