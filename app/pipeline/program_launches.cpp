#include "app/pipeline/program_launches.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

#include "analysis/report/launch_tree.h"
#include "analysis/wording.h"
#include "app/pipeline/program_session.h"
#include "core/gpu_spec.h"

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
    if (launch.entry != nullptr) kernel.symbol = launch.entry->symbol;
    kernel.line = launch.made.line;
    kernel.grid = geometry.grid;
    kernel.block = geometry.block;
    return kernels.emplace_back(std::move(kernel));
}

}  // namespace

std::vector<ProgramKernelSum> by_kernel(const std::vector<ProgramKernel>& kernels) {
    std::vector<ProgramKernelSum> sums;
    for (const ProgramKernel& kernel : kernels) {
        const auto same = [&](const ProgramKernelSum& sum) {
            return sum.first().kernel == kernel.kernel && sum.first().symbol == kernel.symbol;
        };
        auto sum = std::ranges::find_if(sums, same);
        if (sum == sums.end()) sum = sums.insert(sums.end(), ProgramKernelSum());
        sum->shapes.push_back(&kernel);
        sum->launches += kernel.launches;
        sum->executed += kernel.executed;
        sum->steps += kernel.steps;
        sum->modelled += kernel.modelled;
        sum->seconds += kernel.all_seconds();
    }
    for (ProgramKernelSum& sum : sums)
        std::ranges::stable_sort(sum.shapes, std::greater(), &ProgramKernel::all_seconds);
    std::ranges::stable_sort(sums, std::greater(), &ProgramKernelSum::seconds);
    return sums;
}

std::vector<std::string> not_listed(const ProgramLaunches& program) {
    std::vector<std::string> sentences;
    if (!program.libraries.empty())
        sentences.push_back(fmt::format(
            "The host computes what {} {}: the kernels that a GPU runs for that are not in the list.",
            fmt::join(program.libraries, ", "), program.libraries.size() == 1 ? "does" : "do"));
    for (const ProgramKernel& kernel : program.kernels)
        if (kernel.grids_below > 0)
            sentences.push_back(fmt::format(
                "Threads of `{}` launch {} grid{} with {} warp-instructions, which are not in its "
                "numbers.",
                kernel.kernel, analysis::grouped(kernel.grids_below), kernel.grids_below == 1 ? "" : "s",
                analysis::grouped(kernel.steps_below)));
    return sentences;
}

Result<ProgramLaunches> program_launches(Pipeline& pipeline, const ProgramInputsRequest& request,
                                         const std::function<void(const ProgramLaunches&)>& so_far) {
    WARPLENS_TRY(const auto session, ProgramSession::build(pipeline, request));
    WARPLENS_TRY(session->start());
    const auto timed_until = std::chrono::steady_clock::now() + model_times_for;
    ProgramLaunches all;
    all.gpu = default_gpu().name;
    std::map<std::string, std::uint32_t> launches_of;  // by symbol
    for (;;) {
        auto launch = session->next();
        if (session->is_cancelled()) break;
        if (!launch) {
            all.failed = launch.error().message;
            break;
        }
        if (!*launch) break;
        ProgramKernel& kernel = kernel_of(**launch, all.kernels);
        ++kernel.launches;
        const std::uint32_t number = ++launches_of[kernel.symbol];
        ExecuteOptions options;
        const bool in_time = std::chrono::steady_clock::now() < timed_until || kernel.modelled == 0;
        options.model_time = options.time_machine_code = in_time;
        const auto report = session->execute(**launch, options);
        if (session->is_cancelled()) {
            --kernel.launches;  // of which nothing is known
            break;
        }
        if (report) {
            ++kernel.executed;
            kernel.steps += (*report)->steps;
            if ((*report)->steps > kernel.most_steps) {
                kernel.most_steps = (*report)->steps;
                kernel.busiest = number;
            }
            if (const auto& tree = (*report)->launches) {
                kernel.grids_below += tree->grids.size() - 1 + tree->left_out;
                kernel.steps_below += tree->children().steps;
            }
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
        if (so_far) so_far(all);
    }
    all.ended = !session->is_cancelled();
    std::erase_if(all.kernels, [](const ProgramKernel& kernel) { return kernel.launches == 0; });
    all.printed = session->printed();
    all.libraries = session->libraries();
    return all;
}

}  // namespace warplens::app
