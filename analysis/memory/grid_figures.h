// GridFigures: one number for each recorded warp of a launch — steps, active lanes, bank conflicts, cycles or
// the SM — for pictures of the whole grid. Warps of blocks that were not recorded have none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/lane_mask.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::analysis {

enum class GridFigure : std::uint8_t {
    steps,      // instructions that the warp executed
    lanes,      // active lanes, the mean over its steps; none of a warp that accesses no memory
    conflicts,  // wavefronts of its shared-memory requests beyond their ideal
    cycles,     // from its arrival to its departure: measured where it was, else modelled
    sm,         // that ran it, as a GPU recorded it
};
inline constexpr int grid_figure_count = 5;
/// "steps", …, as `--cells` takes them.
std::string_view to_string(GridFigure figure);

struct GridWarp {
    std::uint64_t block = 0;           // linear
    std::uint32_t warp = 0;            // within the block
    std::uint32_t record = no_index;   // into Trace::warps; no_index: only its times were recorded
    bool idle = false;                 // its threads access no memory, though others do
    std::optional<double> value = {};  // none: not known of this warp
    LaneMask idle_lanes = {};          // of threads that access no memory, though others of the run do
};

/// The cycles of grid_figures are a GPU's, not the model's.
bool has_measured_warps(const trace::Trace& trace);

/// Ascending by block, then warp: one per Trace::warps, and for cycles and SM also the warps of which only
/// times were recorded. `schedule` (may be null) is of that Trace.
std::vector<GridWarp> grid_figures(const trace::Trace& trace, const trace::Schedule* schedule,
                                   GridFigure figure);

using ThreadSteps = std::array<std::uint64_t, warp_size>;
/// Per Trace::warps and lane: the instructions that the thread executed, or that were predicated off in it.
std::vector<ThreadSteps> thread_steps(const trace::Trace& trace);

}  // namespace warplens::analysis
