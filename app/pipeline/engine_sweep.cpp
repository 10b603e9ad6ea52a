#include "app/pipeline/engine_sweep.h"

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/sweep_comparison.h"

namespace warplens::app {
namespace {

LaunchRequest launch_at(const SweepRequest& request, const std::vector<std::string>& at) {
    LaunchRequest launch{request.kernel, request.overrides, request.gpu};
    for (std::size_t i = 0; i < at.size(); ++i) launch.overrides[request.plan.axes[i].name] = at[i];
    return launch;
}

}  // namespace

RunSweep sweep_on_engine(std::shared_ptr<Pipeline> pipeline) {
    return [pipeline = std::move(pipeline)](const SweepRequest& request, const SweepOptions& options) {
        const MeasurePoint measure =
            [&](const std::vector<std::string>& at,
                const PointRun& run) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
            WARPLENS_TRY(auto loaded, pipeline->load(launch_at(request, at)));
            ExecuteOptions execute;
            execute.model_time = request.plan.needs_timing();
            execute.time_machine_code =
                request.plan.has_times() && run.level_of_times.value_or(request.times) == Level::machine;
            if (request.plan.counts_problems()) execute.races = ExecuteOptions::Races::within_budget;
            execute.threads = run.threads;
            execute.cancelled = options.cancelled;
            WARPLENS_TRY(auto executed, pipeline->execute(std::move(loaded), execute));
            return executed.report;
        };
        SweepOptions about = options;
        about.sets_problem = problem_setters(request.kernel);
        about.difference = difference_of_points(
            pipeline, request.plan,
            [&](const std::vector<std::string>& at) -> Result<LaunchRequest> {
                return launch_at(request, at);
            },
            options.cancelled);
        return run_sweep(request.plan, measure, about);
    };
}

}  // namespace warplens::app
