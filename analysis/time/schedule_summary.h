// ScheduleSummary: what `warplens report` shows of a Schedule — the launch's cycles, how the warps of the
// modelled SM spent theirs, and what limited them. All of it is modelled.
#pragma once

#include <string>
#include <vector>

#include "analysis/time/stalls.h"
#include "core/gpu_spec.h"
#include "core/provenance.h"
#include "trace/schedule.h"

namespace warplens::analysis {

struct ScheduleSummary {
    trace::LaunchTime launch;       // cycles of the whole launch
    Level level = Level::ptx;       // of the code that was timed
    std::string why_ptx;            // a clause: why not the machine code; empty mostly
    double seconds = 0;             // the same at the SM's clock; 0: not known
    double cycles_as_measured = 0;  // likewise, with the caches as a GPU's run found them;
                                    // 0: no GPU ran the launch
    StallSummary stalls;            // of the modelled SM
    std::vector<ByWarpState<std::uint64_t>> site_states;  // by site: warp-cycles of the modelled SM
    int resident_blocks = 0;                              // on the modelled SM
    double repeated_load_latency = 0;  // cycles, the mean of ScheduleTotals::repeated_loads; 0: none
    bool measured_latencies = false;
    std::vector<std::string> notes;  // sentences: what was assumed or left out
    std::string limiting;            // what limited the kernel, in one sentence
};

ScheduleSummary summarise_launch(const trace::Schedule& schedule, const GpuSpec& gpu);

/// "1,234"
std::string grouped_cycles(double cycles);

/// Of what a launch's cycles are the sum: ": 3,000 to start and end the launch, 1,377 on the busiest SM, …";
/// empty where that is not known.
std::string parts_of_launch(const trace::LaunchTime& launch);

}  // namespace warplens::analysis
