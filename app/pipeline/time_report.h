// Time for a report: runs the timing model on the recorded blocks and puts its summary and the roofline into
// the report. app/scene/time_scene.h does it for the window.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/gpu_spec.h"
#include "trace/recorder.h"
#include "trace/trace.h"

namespace warplens::simt {
struct MachineProgram;
}

namespace warplens::app {

/// What to record of a launch for the model: blocks of one SM, of `executed` (linear indices, ascending) or,
/// when that is empty, of the whole grid; and no more than fits a fixed share of memory.
trace::RecorderOptions blocks_for_model(const LaunchGeometry& geometry,
                                        const std::vector<std::uint64_t>& executed, const GpuSpec& gpu);

/// Fills LaunchReport::schedule, or schedule_absent when the model has no answer, and the roofline. A launch
/// that was stopped by a problem has no time. `code`: as in simt::TimingRequest.
void time_report(analysis::LaunchReport& report, const trace::Trace& trace, const GpuSpec& gpu,
                 bool completed = true, std::shared_ptr<const simt::MachineProgram> code = nullptr);

}  // namespace warplens::app
