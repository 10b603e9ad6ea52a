// `warplens sweep`, the part that runs: which points there are, and how the words of the command line become
// one launch each. Tables are sweep_printing.cpp's, the picture is sweep_picture.cpp's.
#include "app/command_line/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/command_line/reported.h"
#include "app/command_line/target.h"
#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/limits.h"
#include "app/pipeline/sweep_comparison.h"
#include "app/pipeline/text_numbers.h"
#include "core/leftovers.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {
namespace {

constexpr std::array<std::string_view, 6> extents{"grid.x",  "grid.y",  "grid.z",
                                                  "block.x", "block.y", "block.z"};

/// "32,8" with its second number replaced: "32,16".
std::string with_extent(const std::string& text, std::size_t which, const std::string& value) {
    std::array<std::string, 3> numbers{"1", "1", "1"};
    std::size_t at = 0, begin = 0;
    while (!text.empty() && at < numbers.size()) {
        const auto comma = text.find(',', begin);
        numbers[at++] = text.substr(begin, comma - begin);
        if (comma == std::string::npos) break;
        begin = comma + 1;
    }
    numbers[which] = value;
    return fmt::format("{},{},{}", numbers[0], numbers[1], numbers[2]);
}

LaunchFlags flags_at(const LaunchFlags& flags, const SweepPlan& plan, const std::vector<std::string>& at) {
    LaunchFlags point = flags;
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        const std::string& name = plan.axes[i].name;
        const auto extent = std::ranges::find(extents, name);
        if (extent != extents.end()) {
            const auto which = static_cast<std::size_t>(extent - extents.begin());
            std::string& text = which < 3 ? point.grid : point.block;
            text = with_extent(text, which % 3, at[i]);
        } else if (name == "gpu") {
            point.gpu = at[i];
        } else {
            point.set.push_back(name + "=" + at[i]);
        }
    }
    return point;
}

/// The launch must have what is swept. Checked before anything runs.
Status check_axes(const LaunchFlags& flags, const SweepPlan& plan) {
    WARPLENS_TRY(const auto request, launch_request(flags_at(flags, plan, plan.at(0))));
    const instrumentation::KernelFile& kernel = *request.kernel;
    std::vector<std::string> names;
    for (const auto& parameter : kernel.parameters) names.push_back(parameter.name);
    for (const auto& number : text_knobs(kernel)) names.push_back(number.name);
    for (const SweepAxis& axis : plan.axes) {
        const bool is_number = kernel.path.ends_with(".cu") && has_text_number(kernel.source, axis.name);
        if (axis.name == "gpu" || std::ranges::count(names, axis.name) > 0 || is_number) continue;
        if (std::ranges::count(extents, axis.name) == 0)
            return fail("--over {}: {} has no such parameter{} ({}; also gpu, and grid.x or block.x)",
                        axis.name, kernel.name, instrumentation::did_you_mean(axis.name, names),
                        instrumentation::listed(names));
        const bool of_grid = axis.name.starts_with("grid");
        if (!kernel.parameters.empty() && (of_grid ? flags.grid : flags.block).empty())
            return fail(
                "--over {}: {}'s header says its {}; sweep a parameter ({}), or give --{} X,Y,Z as well",
                axis.name, kernel.name, of_grid ? "grid" : "block", instrumentation::listed(names),
                of_grid ? "grid" : "block");
    }
    return {};
}

}  // namespace

Result<SweepPlan> plan_of(const SweepWords& words) {
    SweepPlan plan;
    for (const std::string& text : words.over) {
        WARPLENS_TRY(auto axis, parse_axis(text));
        plan.axes.push_back(std::move(axis));
    }
    if (plan.axes.size() > 2)
        return fail("sweep takes one or two --over NAME=A..B, for example --over PAD=0..4");
    if (plan.axes.size() == 2 && plan.axes[0].name == plan.axes[1].name)
        return fail("--over {}: a parameter can be swept only once", plan.axes[0].name);
    if (plan.points() > most_sweep_points)
        return fail("{} points are more than the {} that can be swept; take larger steps", plan.points(),
                    most_sweep_points);
    for (const std::string& name : words.metrics) {
        const auto metric = metric_named(name);
        if (!metric) return fail("--metric {}: {}", name, metric.error().message);
        plan.metrics.push_back(*metric);
    }
    return plan;
}

namespace {

/// What the words leave open is as the Sweep view begins.
Status complete(SweepPlan& plan, const LaunchFlags& flags) {
    if (!plan.axes.empty() && !plan.metrics.empty()) return {};
    WARPLENS_TRY(const auto request, launch_request(flags));
    SweepPlan first = first_sweep(*request.kernel);
    if (plan.axes.empty()) plan.axes = std::move(first.axes);
    if (plan.metrics.empty()) plan.metrics = std::move(first.metrics);
    if (plan.axes.empty())
        return fail(
            "{} has no parameter with a range to sweep; give --over NAME=A..B, for example --over PAD=0..4",
            request.kernel->name);
    return {};
}

}  // namespace

Result<Sweep> sweep_of(const SweepWords& words) {
    WARPLENS_TRY(auto plan, plan_of(words));
    WARPLENS_TRY(auto kind, target_kind(words.launch.target));
    if (kind == TargetKind::trace_file)
        return fail("{} holds one launch; a sweep runs its kernel again, so name the kernel",
                    words.launch.target);
    WARPLENS_TRY(complete(plan, words.launch));
    WARPLENS_TRY(const auto engine, engine_of(words.launch, Engine::simt));
    WARPLENS_TRY(check_axes(words.launch, plan));

    ReportRunOptions run_options;
    run_options.pipeline = make_pipeline();
    run_options.model_time = plan.needs_timing();
    if (!words.check_races.empty()) run_options.races = races_named(words.check_races);
    else if (plan.counts_problems() && engine == Engine::simt)
        run_options.races = ExecuteOptions::Races::within_budget;
    SweepOptions options;
    if (engine != Engine::simt) options.workers = 1;
    WARPLENS_TRY(const auto request, launch_request(words.launch));
    options.sets_problem = problem_setters(request.kernel);
    options.difference = difference_of_points(
        run_options.pipeline, plan,
        [&](const std::vector<std::string>& at) { return launch_request(flags_at(words.launch, plan, at)); },
        is_interrupted);
    options.cancelled = is_interrupted;
    options.keep_interrupted = true;
    auto sweep = run_sweep(
        plan,
        [&](const std::vector<std::string>& at,
            const PointRun& run) -> Result<std::shared_ptr<const analysis::LaunchReport>> {
            ReportRunOptions here = run_options;
            here.threads = run.threads;
            here.time_machine_code =
                plan.has_times() && run.level_of_times.value_or(Level::machine) == Level::machine;
            WARPLENS_TRY(auto reported, report_of(flags_at(words.launch, plan, at), here));
            if (!reported.stopped.empty()) return fail("{}", reported.stopped);  // numbers of a part
            return reported.report;
        },
        options);
    if (!sweep) return sweep;
    if (sweep->measured() == 0) return fail("no value could be run: {}", sweep->rows.front().failed);
    return sweep;
}

}  // namespace warplens::app
