// Columns as differences: each value less the one before it, and the lowest bytes of all of them first, then
// the next higher ones. What counts up or repeats becomes runs of equal bytes, which compress to next to
// nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trace/file/format.h"

namespace warplens::trace {

/// Whether records of that kind can be stored so.
bool has_differences(ChunkKind kind);
/// From the columns that trace/file/columns.h makes, and back. Sizes are whole records, and stay.
void to_differences(ChunkKind kind, std::span<const std::byte> columns, std::vector<std::byte>& differences);
void from_differences(ChunkKind kind, std::span<const std::byte> differences,
                      std::vector<std::byte>& columns);

}  // namespace warplens::trace
