// WarpDivergence: the recorded warps ranked by their mean active lanes, fewest first. One warp in detail is
// analysis/warps/lane_timeline.h; sums over a launch are in analysis/report/launch_report.h.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

struct WarpDivergence {
    std::uint32_t warp_record = 0;  // index into Trace::warps
    std::uint64_t steps = 0;
    std::uint64_t active_lanes = 0;  // sum over the steps
    std::uint64_t branches = 0, branches_divergent = 0;

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
};
/// Every warp of the trace, the one with the fewest active lanes first; ties by warp_record.
std::vector<WarpDivergence> warps_by_divergence(const trace::Trace& trace);

}  // namespace warplens::analysis
