#include "app/pipeline/program_launches.h"

#include <algorithm>
#include <chrono>

#include "app/pipeline/program_session.h"

namespace warplens::app {
namespace {

/// From then on launches are executed and not timed.
constexpr std::chrono::seconds model_times_for{10};

/// That of the launch's kernel, grid and block.
ProgramKernel& kernel_of(const ProgramSession::Launch& launch, std::vector<ProgramKernel>& kernels) {
    const LaunchGeometry& geometry = launch.made.geometry;
    const auto same = [&](const ProgramKernel& kernel) {
        return kernel.kernel == launch.name && kernel.grid == geometry.grid && kernel.block == geometry.block;
    };
    const auto found = std::ranges::find_if(kernels, same);
    if (found != kernels.end()) return *found;
    ProgramKernel kernel;
    kernel.kernel = launch.name;
    kernel.line = launch.made.line;
    kernel.grid = geometry.grid;
    kernel.block = geometry.block;
    return kernels.emplace_back(std::move(kernel));
}

}  // namespace

Result<ProgramLaunches> program_launches(Pipeline& pipeline, const ProgramInputsRequest& request) {
    WARPLENS_TRY(const auto session, ProgramSession::build(pipeline, request));
    WARPLENS_TRY(session->start());
    const auto timed_until = std::chrono::steady_clock::now() + model_times_for;
    ProgramLaunches all;
    for (;;) {
        auto launch = session->next();
        if (session->is_cancelled()) return fail("the run was cancelled");
        if (!launch) {
            all.failed = launch.error().message;
            break;
        }
        if (!*launch) break;
        ProgramKernel& kernel = kernel_of(**launch, all.kernels);
        ++kernel.launches;
        ExecuteOptions options;
        const bool in_time = std::chrono::steady_clock::now() < timed_until || kernel.modelled == 0;
        options.model_time = options.time_machine_code = in_time;
        const auto report = session->execute(**launch, options);
        if (session->is_cancelled()) return fail("the run was cancelled");
        if (report) {
            ++kernel.executed;
            kernel.steps += (*report)->steps;
            if ((*report)->schedule) {
                ++kernel.modelled;
                kernel.seconds += (*report)->schedule->seconds;
            }
            if (kernel.problem.empty() && !(*report)->problems.empty())
                kernel.problem = (*report)->problems.front().message;
        } else if (kernel.why_not_executed.empty()) {
            kernel.why_not_executed = report.error().message;
        }
        WARPLENS_TRY(session->go_on());
    }
    all.printed = session->printed();
    all.missing_variables = session->changed_variables();
    return all;
}

}  // namespace warplens::app
