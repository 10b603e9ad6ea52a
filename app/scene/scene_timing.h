// SceneTiming: the timing model's answer for a Scene's trace, with the data that views derive from it. Made
// once by a run, off the UI thread; immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/report/measured_against_modelled.h"
#include "analysis/report/roofline.h"
#include "analysis/time/exposed_cost.h"
#include "analysis/time/schedule_sums.h"
#include "analysis/time/sm_state.h"
#include "analysis/time/stalls.h"
#include "core/timing_options.h"
#include "trace/activity.h"
#include "trace/schedule.h"

namespace warplens::simt {
struct MachineProgram;
}

namespace warplens::app {

class DensityPyramid;
struct MemoryLevels;
struct CopyPipeline;

struct SceneTiming {
    TimingOptions options;                            // as the what-if knobs were set
    std::shared_ptr<const trace::Schedule> schedule;  // null: there is none, and `absent` is the reason
    std::string absent;
    std::shared_ptr<const trace::Schedule>
        baseline;  // of the unchanged GPU: `schedule` with all knobs at their defaults
    /// `schedule` with the caches as the recording found them: for comparisons with measured times. Null if
    /// nothing was measured.
    std::shared_ptr<const trace::Schedule> as_measured;
    std::shared_ptr<const simt::MachineProgram> code;  // the lowered code, kept for the next question
    /// Of `schedule`, for the timeline. Without them it makes its own, which delays its first frame.
    std::shared_ptr<const analysis::ScheduleSums> sums;
    std::shared_ptr<const DensityPyramid> density;
    std::shared_ptr<const analysis::SmStates> sm;  // of `schedule`, for the SM view; likewise
    std::shared_ptr<const MemoryLevels> levels;    // of `schedule`, for the hierarchy
    std::shared_ptr<const CopyPipeline> pipeline;  // likewise, for the pipeline; null: nothing is staged
    /// Ways of using streams, scheduled by a model; null: none, they are measured, or why they have no model
    /// is in `streams_absent`.
    std::shared_ptr<const std::vector<trace::Activity>> streams;
    std::string streams_absent;
    analysis::ExposedCost cost;
    analysis::Roofline roofline;
    std::string limiting;                            // one sentence
    std::vector<analysis::ComparedMetric> compared;  // with what was measured; empty when nothing was
};

}  // namespace warplens::app
