// Which blocks of a launch are recorded when only some are to be looked at.
#pragma once

#include <cstdint>

#include "app/pipeline/gpu/record_launch.h"

namespace warplens::app {

/// Fills the wish's blocks and timed: `blocks` blocks with addresses, as sample_blocks chooses them; times of
/// those and of the grid's first blocks, with which all SMs begin, up to `timed_warps` warps.
void sample(GpuWish& wish, const LoadedLaunch& launch, std::uint64_t blocks, std::uint64_t timed_warps);

/// Blocks that one SM holds at once, or all it is given when those are fewer; and one more, the grid's last.
std::uint64_t blocks_of_a_full_sm(const LoadedLaunch& launch);

std::uint64_t warps_a_block(const LaunchGeometry& geometry);

}  // namespace warplens::app
