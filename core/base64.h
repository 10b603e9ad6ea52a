// Bytes as text of 64 characters, four for each three bytes, for files of text that hold bytes (RFC 4648,
// section 4).
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens {

std::string base64(std::string_view bytes);

/// What `base64` was given. Refuses any other text, also one that base64 would have written differently.
Result<std::string> from_base64(std::string_view text);

}  // namespace warplens
