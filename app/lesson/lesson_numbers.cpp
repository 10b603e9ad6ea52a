#include "app/lesson/lesson_numbers.h"

#include <functional>

#include "analysis/report/metrics.h"
#include "app/lesson/kernel_lines.h"
#include "app/lesson/lesson_names.h"
#include "app/pipeline/launch_time.h"
#include "app/pipeline/limits.h"
#include "app/pipeline/recordings.h"
#include "core/number_text.h"
#include "instrumentation/catalog/catalogue.h"

namespace warplens::app {
namespace {

std::string key_of(const LessonRun& run, const instrumentation::KernelFile& kernel) {
    std::string key = run.kernel + "|" + run.gpu + "|" + run.engine;
    // A file may be written again while its lesson is open.
    if (is_own_kernel(run.kernel)) key += fmt::format("|{:x}", std::hash<std::string>{}(kernel.source));
    for (const auto& [name, value] : run.set) key += "|" + name + "=" + value;
    for (const std::uint64_t block : run.blocks) key += fmt::format("|{}", block);
    return key;
}

Result<double> knob(const LessonLaunch& launch, const std::string& name) {
    const auto& parameters = launch.report->launch.parameters;
    const auto found = parameters.find(name);
    if (found == parameters.end()) return fail("{} has no knob `{}`", launch.report->launch.kernel, name);
    const auto value = number_from<double>(found->second);
    if (!value) return fail("the knob `{}` is the word {}, not a number", name, found->second);
    return *value;
}

}  // namespace

LessonNumbers::LessonNumbers(std::shared_ptr<Pipeline> pipeline,
                             std::vector<instrumentation::KernelFile> kernels, std::string recordings)
    : pipeline_(std::move(pipeline)), kernels_(std::move(kernels)), recordings_(std::move(recordings)) {}

Result<const instrumentation::KernelFile*> LessonNumbers::kernel(const std::string& name) const {
    if (!is_own_kernel(name)) return instrumentation::find_kernel(kernels_, name);
    WARPLENS_TRY(const auto own, own_.find(name));
    return own.get();
}

Status LessonNumbers::can_launch(const LessonRun& run) const {
    WARPLENS_TRY(const auto file, kernel(run.kernel));
    return instrumentation::resolve_parameters(*file, run.set).map([](const auto&) {});
}

Result<std::uint32_t> LessonNumbers::line_with(const std::string& kernel_name,
                                               const std::string& part) const {
    WARPLENS_TRY(const auto file, kernel(kernel_name));
    return app::line_with(*file, part);
}

Result<LessonNumbers::Kept> LessonNumbers::execute(const LessonRun& run, const Depth& depth) {
    WARPLENS_TRY(const auto file, kernel(run.kernel));
    LaunchRequest request{std::make_shared<const instrumentation::KernelFile>(*file), run.set, run.gpu};
    WARPLENS_TRY(auto loaded, pipeline_->load(request));
    Kept kept;
    kept.depth = depth;
    kept.launch.gpu = loaded.gpu;
    kept.launch.program = std::make_shared<const Program>(loaded.program);
    ExecuteOptions options;
    options.model_time = options.time_machine_code = depth.times;
    options.keep_trace = depth.trace;
    options.cancelled = cancelled_;
    if (depth.races) options.races = ExecuteOptions::Races::within_budget;
    const LaunchGeometry& geometry = loaded.launch.geometry;
    if (run.block.value_or(0) >= geometry.blocks())
        return fail("`block` is {}; the grid has {} blocks, counted from 0", *run.block, geometry.blocks());
    if (!run.blocks.empty() && run.blocks.back() >= geometry.blocks())
        return fail("`blocks` has {}; the grid has {} blocks, counted from 0", run.blocks.back(),
                    geometry.blocks());
    options.blocks = run.blocks;
    // Blocks of a cluster wait for each other, so that none can be left out.
    if (depth.trace && geometry.cluster.count() == 1) options.blocks = {run.block.value_or(0)};
    WARPLENS_TRY(auto executed, pipeline_->execute(std::move(loaded), options));
    // What was stopped on the way may have the PTX's time in place of the machine code's.
    if (cancelled()) return fail("the lesson's runs were stopped");
    kept.launch.report = executed.report;
    kept.launch.trace = executed.trace;
    return kept;
}

Result<LessonNumbers::Kept> LessonNumbers::open_recording(const LessonRun& run) {
    WARPLENS_TRY(const auto file, kernel(run.kernel));
    if (!run.gpu.empty()) return fail("`gpu` has no effect on a recording; leave it out");
    WARPLENS_TRY(const auto trace, load_recording(recordings_, *file, run.set));
    Kept kept;
    kept.depth = {true, true, true};  // all that it will ever show
    const auto gpu = find_gpu(trace->launch.gpu);
    kept.launch.gpu = gpu ? *gpu : &default_gpu();
    kept.launch.program = std::make_shared<const Program>(trace->program);
    const auto report = fold_trace(*trace);
    const auto loaded = pipeline_->load(
        {std::make_shared<const instrumentation::KernelFile>(*file), run.set, trace->launch.gpu});
    WARPLENS_TRY(time_recorded(*report, trace, loaded ? &*loaded : nullptr,
                               loaded ? "" : loaded.error().message, cancelled_));
    kept.launch.report = report;
    kept.launch.trace = trace;
    return kept;
}

Status LessonNumbers::choose_sites(const LessonRun& run, LessonLaunch& launch) const {
    launch.block = run.block;
    launch.thread = run.thread;
    std::vector<std::uint32_t> lines;
    if (!run.at.empty()) {
        WARPLENS_TRY(const auto line, line_with(run.kernel, run.at));
        lines.push_back(line);
    }
    launch.whole = lines.empty();
    auto sites = sites_of_lines(*launch.program, lines);
    if (!sites) return fail("`{}` is a line at which nothing is executed", run.at);
    launch.sites = std::move(*sites);
    return {};
}

Result<LessonLaunch> LessonNumbers::launch(const LessonRun& run, const Depth& depth) {
    if (cancelled()) return fail("the lesson's runs were stopped");
    const bool recorded = run.engine == "recorded";
    const std::string apart =
        depth.trace && !recorded ? fmt::format("|block {}", run.block.value_or(0)) : std::string();
    WARPLENS_TRY(const auto file, kernel(run.kernel));
    Kept& kept = kept_[key_of(run, *file) + apart];
    if (kept.launch.report == nullptr || !kept.depth.covers(depth)) {
        WARPLENS_TRY(kept, recorded ? open_recording(run) : execute(run, depth));
    }
    LessonLaunch launch = kept.launch;
    WARPLENS_TRY(choose_sites(run, launch));
    return launch;
}

Result<double> LessonNumbers::number(const LessonRun& run, const std::string& number) {
    const auto in_run = [&](Error error) {
        return Error{fmt::format("{} of the run `{}`: {}", number, run.name, error.message)};
    };
    if (const analysis::Metric* metric = analysis::find_metric(number)) {
        const auto of = launch(run, {.times = metric->needs_timing, .races = metric->name == "problems"});
        if (!of) return tl::unexpected(in_run(of.error()));
        if (!of->whole && !metric->of_sites)
            return fail("{} is of the whole launch, and the run `{}` names a line with `at`", number,
                        run.name);
        const auto sums =
            of->whole ? analysis::whole_launch(*of->report) : analysis::of_sites(*of->report, of->sites);
        return metric->read(sums).map_error(in_run);
    }
    if (const LessonFact* fact = find_fact(number)) {
        const auto of = launch(run, {.trace = fact->needs_trace});
        if (!of) return tl::unexpected(in_run(of.error()));
        return fact->read(*of).map_error(in_run);
    }
    const auto of = launch(run, {});
    if (!of) return tl::unexpected(in_run(of.error()));
    return knob(*of, number.substr(number.find('.') + 1)).map_error(in_run);
}

ReadNumber LessonNumbers::reader(const Lesson& lesson, const LessonRun& run) {
    return [this, &lesson, &run](const std::string& name) -> Result<double> {
        if (const auto value = lesson.values.find(name); value != lesson.values.end())
            return evaluate(value->second.text, reader(lesson, lesson.runs.front()));
        WARPLENS_TRY(const auto resolved, resolve_name(lesson, run, name));
        return number(*resolved.run, resolved.number);
    };
}

}  // namespace warplens::app
