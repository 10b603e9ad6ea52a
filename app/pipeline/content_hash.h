// Names for the contents of large things, for memories of what was computed from them.
#pragma once

#include <cstddef>
#include <string>

namespace warplens::app {

/// Length and 128 bits of XXH3, as a line of text.
std::string content_hash(const std::byte* bytes, std::size_t count);
std::string content_hash(const std::string& text);

}  // namespace warplens::app
