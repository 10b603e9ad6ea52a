// ScheduleSummary: what `warplens report` tells of a Schedule — the launch's cycles, how the warps of the
// modelled SM spent theirs, and what limited them. Modelled, all of it.
#pragma once

#include <string>
#include <vector>

#include "analysis/time/stalls.h"
#include "core/gpu_spec.h"
#include "trace/schedule.h"

namespace warplens::analysis {

struct ScheduleSummary {
    trace::LaunchTime launch;  // cycles of the whole launch
    double seconds = 0;        // the same at the SM's clock; 0: not known
    StallSummary stalls;       // of the SM modelled in detail
    int resident_blocks = 0;   // of it, at once
    bool measured_latencies = false;
    std::vector<std::string> notes;  // what was assumed or left out, in sentences
    std::string limiting;            // what limited the kernel, in one sentence
};

ScheduleSummary summarise_launch(const trace::Schedule& schedule, const GpuSpec& gpu);

}  // namespace warplens::analysis
