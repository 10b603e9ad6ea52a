// read_file: a regular file as a whole. A FIFO, a device or a folder is refused before it is read, for it may
// have no end; a size beyond the limit is refused before memory is taken.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace warplens {

inline constexpr std::uint64_t most_text_bytes = std::uint64_t{256} << 20;  // of a source, PTX or a table

/// Errors name the path and what the system said.
Result<std::string> read_file(const std::string& path, std::uint64_t most_bytes = most_text_bytes);

}  // namespace warplens
