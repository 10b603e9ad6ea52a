// JSON as text: the library's parser and writer are compiled once, in json_text.cpp; all other files only
// read and build values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace warplens {

/// On one line if `indent` < 0. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// is_discarded() if the text is not JSON.
nlohmann::json parse_json(std::string_view text);
/// The members of its objects keep the order of the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

}  // namespace warplens
