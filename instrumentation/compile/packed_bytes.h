// Bytes compressed with zstd, as they stand in assets/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warplens::instrumentation {

std::string packed(std::string_view bytes);

/// What `packed` was given. Refuses damaged bytes, and what would be longer than `most` bytes, before any
/// memory is taken for it.
Result<std::string> unpacked(std::string_view packed, std::size_t most);

}  // namespace warplens::instrumentation
