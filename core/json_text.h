// JSON as text and as CBOR. Only json_text.cpp uses the library that reads and writes them: it takes seven
// seconds to compile.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace warplens {

enum class MemberOrder : std::uint8_t { as_added, by_name };

/// On one line if `indent` < 0. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& value, int indent = -1, MemberOrder order = MemberOrder::as_added);
/// Nothing if the text is not JSON, or nested deeper than any file that Warplens writes or reads.
std::optional<Json> parse_json(std::string_view text);

std::vector<std::uint8_t> to_cbor(const Json& value);
/// Nothing if the bytes are not CBOR, hold a value that JSON does not have, or are nested deeper than
/// `most_depth`.
std::optional<Json> parse_cbor(std::span<const std::uint8_t> bytes, int most_depth);

}  // namespace warplens
