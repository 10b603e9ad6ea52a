// Which blocks of a launch are recorded when only some are to be looked at.
#pragma once

#include <cstdint>

#include "app/pipeline/gpu/record_launch.h"

namespace warplens::app {

/// Fills the options' blocks and timed: `blocks` blocks with addresses, as sample_blocks chooses them; times
/// of those and of the grid's first blocks, with which all SMs begin, up to `timed_warps` warps.
void sample(GpuRecordOptions& gpu_options, const LoadedLaunch& launch, std::uint64_t blocks,
            std::uint64_t timed_warps);

}  // namespace warplens::app
