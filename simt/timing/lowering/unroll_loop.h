// Unrolls a block that loops on itself, four visits to one sequence, where the assembler does: a counted loop
// of a small body. The loop's control stands in the sequence once, steps of a literal go into the offsets of
// the accesses that read them, and each copy fills values of its own.
#pragma once

#include <optional>
#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

inline constexpr int unroll_factor = 4;

/// The operations of unroll_factor visits of Code::blocks[block] in a row; nothing when the assembler leaves
/// the loop as it is. Adds values to `code`; the block itself stays as it was.
std::optional<std::vector<Operation>> unroll_loop(Code& code, std::size_t block);

}  // namespace warplens::simt::lowering
