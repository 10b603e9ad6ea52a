// Caches: what a launch found in the GPU's caches when it was measured or modelled.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens {

enum class Caches : std::uint8_t {
    warm,  // an earlier launch on the same data left them, as far as they fit
    cold,  // L2 was filled with other data just before the launch
};

constexpr std::string_view to_string(Caches caches) { return caches == Caches::warm ? "warm" : "cold"; }

}  // namespace warplens
