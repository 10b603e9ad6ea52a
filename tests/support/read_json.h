// Reads the JSON that Warplens writes with another reader than its own.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace warplens {

/// is_discarded() if the text is not JSON.
inline nlohmann::json read_json(std::string_view text) { return nlohmann::json::parse(text, nullptr, false); }

}  // namespace warplens
