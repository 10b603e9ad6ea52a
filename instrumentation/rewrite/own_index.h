// The register in which a kernel keeps the index of its thread in the grid, if it computes one: what the
// recording makes of it needs no instruction of its own. The assembler computes the same sum twice where it
// is written twice.
#pragma once

#include <cstdint>
#include <optional>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// Of a launch with one row of blocks of one row: a register of the entry that is set once, to that index,
/// before the recording starts in `block`.
std::optional<std::uint32_t> own_index_of_thread(const Draft& draft, BasicBlockId block);

}  // namespace warplens::instrumentation
