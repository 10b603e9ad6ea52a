// Unrolls a block that loops on itself, four visits per sequence, where the assembler does: counted loops
// with a small body. The sequence contains the loop's control once, literal steps are folded into the offsets
// of the accesses that read them, and each copy has its own values.
#pragma once

#include <optional>
#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

inline constexpr int unroll_factor = 4;

/// The operations of unroll_factor consecutive visits of Code::blocks[block]; std::nullopt if the assembler
/// does not unroll the loop. Adds values to `code`; the block itself is unchanged.
std::optional<std::vector<Operation>> unroll_loop(Code& code, std::size_t block);

}  // namespace warplens::simt::lowering
