// BusiestSm: which SM of a launch ends last when its blocks differ in work, from the work of every block. The
// blocks are distributed as the GPU does it: round robin while there is room, then one wherever one ends.
// Counts of instructions stand for time, so this only chooses what the timing model looks at.
#pragma once

#include <cstdint>
#include <vector>

#include "core/block_work.h"

namespace warplens::simt {

/// The blocks that one SM runs, in the order in which it receives them.
using BlocksOfSm = std::vector<std::uint64_t>;

/// The SMs that may end last, at most two: one if every warp issues at its own pace, however many share the
/// SM, and one if the SM's issue slots are shared. Empty: the blocks hardly differ, and the first SM stands
/// for all. `grid` is the whole grid, ascending by block.
std::vector<BlocksOfSm> busiest_sms(const std::vector<BlockWork>& grid, int sm_count, int resident_blocks);

}  // namespace warplens::simt
