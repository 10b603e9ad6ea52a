// read_file: reads a whole regular file. A FIFO, a device or a folder is refused before it is read, since it
// may have no end; a size beyond the limit is refused before memory is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens {

/// "a FIFO", "a folder" for what lies at the path and is not a regular file; empty for a regular file and
/// where nothing lies. Links are followed.
std::string_view kind_unless_regular(const std::string& path);

inline constexpr std::uint64_t most_text_bytes = std::uint64_t{256} << 20;  // of a source, PTX or a table

/// Errors name the path and the system's message.
Result<std::string> read_file(const std::string& path, std::uint64_t most_bytes = most_text_bytes);

}  // namespace warplens
