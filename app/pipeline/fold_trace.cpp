#include "app/pipeline/launch_run.h"
#include "trace/replay.h"

namespace warplens::app {

std::shared_ptr<analysis::LaunchReport> fold_trace(const trace::Trace& trace) {
    analysis::LaunchFold fold(trace.program);
    trace::replay(trace, fold);
    auto report = std::make_shared<analysis::LaunchReport>(fold.report(trace.launch));
    report->problems = trace.problems;
    report->measured = trace.measured;
    const auto gpu = find_gpu(trace.launch.gpu);
    report->occupancy = launch_occupancy(trace.launch, gpu ? **gpu : default_gpu());
    return report;
}

}  // namespace warplens::app
