// Columns as differences: each value minus the previous one, with the lowest bytes of all of them first, then
// the next higher ones. Increasing or repeated values become runs of equal bytes, which compress very well.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trace/file/format.h"

namespace warplens::trace {

/// Whether records of that kind can be stored as differences.
bool has_differences(ChunkKind kind);
/// From the columns that trace/file/columns.h makes, and back. Sizes are whole records and do not change.
void to_differences(ChunkKind kind, std::span<const std::byte> columns, std::vector<std::byte>& differences);
void from_differences(ChunkKind kind, std::span<const std::byte> differences,
                      std::vector<std::byte>& columns);

}  // namespace warplens::trace
