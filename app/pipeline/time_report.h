// Time for a report: runs the timing model on the recorded blocks and puts its summary and the roofline into
// the report. app/scene/time_scene.h does it for the window.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/gpu_spec.h"
#include "core/timing_options.h"
#include "simt/timing/busiest_sm.h"
#include "trace/recorder.h"
#include "trace/trace.h"

namespace warplens::simt {
struct MachineProgram;
}

namespace warplens::app {

/// The largest number of blocks of one SM that are modelled; the rest is extrapolated at their rate.
/// docs/timing_model.md has the error over launches sampled like this.
inline constexpr std::uint64_t most_modelled_blocks = 128;
inline constexpr std::uint64_t most_traced_bytes = std::uint64_t{256} << 20;

/// What to record of a launch for the model: blocks of one SM, of `executed` (linear indices, ascending) or,
/// when that is empty, of the whole grid; and no more than fits a fixed share of memory.
trace::RecorderOptions blocks_for_model(const LaunchGeometry& geometry,
                                        const std::vector<std::uint64_t>& executed, const GpuSpec& gpu);

/// What the model times. `code`, `sms`, `of_whole_grid`, `launch_steps`: as in simt::TimingRequest.
struct Timed {
    std::shared_ptr<const trace::Trace> trace;
    std::shared_ptr<const simt::MachineProgram> code = {};  // null: the trace's PTX is lowered
    std::vector<simt::BlocksOfSm> sms = {};
    bool of_whole_grid = false;
    std::uint64_t launch_steps = 0;
};

/// The totals alone: the spans of a long launch would take more memory than everything else. `cancelled` is
/// asked regularly; a cancelled model is an error, here as in the functions below.
Result<trace::Schedule> model_time(const Timed& timed, const GpuSpec& gpu,
                                   const std::function<bool()>& cancelled, const TimingOptions& options = {});

/// Fills LaunchReport::schedule, or schedule_absent when the model has no answer, and the roofline.
/// `counted`: the program of the report's sites. `level`: of the code that was timed.
void set_time(analysis::LaunchReport& report, const Program& counted, const GpuSpec& gpu,
              const Result<trace::Schedule>& schedule, Level level);

/// For a launch that a GPU ran: its time with the caches as the GPU found them, into LaunchReport::schedule.
/// Nothing without a schedule.
void add_time_as_measured(analysis::LaunchReport& report, const Timed& timed, const GpuSpec& gpu,
                          const std::function<bool()>& cancelled);

/// The time of the trace that was also counted. A launch that was stopped by a problem has no time.
void time_report(analysis::LaunchReport& report, const Timed& timed, const GpuSpec& gpu,
                 const std::function<bool()>& cancelled, bool completed = true);

}  // namespace warplens::app
