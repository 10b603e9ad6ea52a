// Which blocks of a grid are executed or recorded when there is no time for all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu_spec.h"
#include "trace/trace.h"

namespace warplens::app {

/// The linear indices of `count` blocks spread evenly over a grid, ascending, without duplicates; the first
/// and the last block are always among them.
std::vector<std::uint64_t> spread_blocks(std::uint64_t blocks_in_grid, std::uint64_t count);

/// The `count` blocks that stand for a grid, ascending: those that the first of `sm_count` SMs runs, for the
/// timing model, in the order in which it receives them; the last block; and, if `count` leaves some, others
/// spread evenly.
std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks_in_grid, int sm_count, std::uint64_t count);

/// The blocks that are executed of a grid for which nobody chose any: empty, which is all of them, or a
/// sample of a grid that would take minutes to hours.
std::vector<std::uint64_t> blocks_in_reach(const LaunchGeometry& geometry, int sm_count);

/// Blocks that one SM holds at once, or all it receives if those are fewer; and one more, the grid's last.
std::uint64_t blocks_of_a_full_sm(const trace::Launch& launch, const GpuSpec& gpu);

/// Blocks of this launch that all SMs together hold at once; at least one per SM.
std::uint64_t blocks_that_fill(const trace::Launch& launch, const GpuSpec& gpu);

/// What a picture may cost, in warp-instructions.
struct PictureBudget {
    double steps = 0;
    /// The same if the timing model would otherwise see fewer blocks than an SM holds at once, and would
    /// underestimate how full the SM is.
    double full_sm_steps = 0;
    std::uint64_t block_limit = 0;  // limit of blocks; 0: none
};

/// Of a picture in the window and of `shot`: about 30 ms of recording on one core.
inline constexpr PictureBudget scene_budget{.steps = 300'000, .full_sm_steps = 900'000};

/// A warp that runs longer than this in a picture's run is reported as an endless loop.
inline constexpr std::uint64_t picture_steps_per_warp = 2'000'000;

/// How many blocks a picture executes if each costs `steps_per_block`: at least two, where the grid has them.
std::uint64_t blocks_for_picture(const PictureBudget& budget, const trace::Launch& launch, const GpuSpec& gpu,
                                 double steps_per_block);

}  // namespace warplens::app
