// The report of a launch that a fault of the kernel ended: the problem, and no counts.
#include "app/pipeline/gpu/record_launch.h"
#include "app/pipeline/launch_run.h"

namespace warplens::app {

using instrumentation::GpuFailure;

std::shared_ptr<analysis::LaunchReport> faulted_report(const LoadedLaunch& launch,
                                                       const GpuFailure& failure) {
    auto report =
        std::make_shared<analysis::LaunchReport>(analysis::LaunchFold(launch.program).report(launch.launch));
    report->launch.engine = "cuda";
    report->launch.provenance = Provenance::measured;
    Problem problem;
    problem.kind = failure.kind == GpuFailure::Kind::time_limit ? ProblemKind::endless_loop : failure.problem;
    problem.message = failure.message;
    report->problems.push_back(std::move(problem));
    report->occupancy = launch_occupancy(launch.launch, *launch.gpu);
    return report;
}

}  // namespace warplens::app
