// `warplens report`: executes a launch, or folds a recorded one, and prints what its warps did.
#include <cstdio>

#include "app/command_line/commands.h"
#include "app/command_line/gpu_target.h"
#include "app/command_line/target.h"
#include "app/recordings.h"
#include "app/time_report.h"

namespace warplens::app {
namespace {

Result<std::string> formatted(const analysis::LaunchReport& report, const Program& program,
                              const std::string& format) {
    if (format == "text") return analysis::to_text(report, program);
    if (format == "json") return analysis::to_json(report, program);
    return analysis::to_csv(report, program);
}

Result<int> print(const analysis::LaunchReport& report, const Program& program, const std::string& format) {
    auto text = formatted(report, program, format);
    if (!text) return tl::unexpected(text.error());
    std::fputs(text->c_str(), stdout);
    if (!text->empty() && text->back() != '\n') std::fputc('\n', stdout);
    const bool wrong = !report.problems.empty() || report.golden.starts_with("failed");
    return wrong ? exit_kernel_problems : exit_success;
}

/// The report of a recorded launch with its time.
Result<int> print_recorded(const trace::Trace& trace, const std::string& format) {
    const auto report = fold_trace(trace);
    const auto gpu = find_gpu(trace.launch.gpu);
    time_report(*report, trace, gpu ? **gpu : default_gpu());
    return print(*report, trace.program, format);
}

Result<int> report_trace(const ReportOptions& options) {
    auto trace = load_trace(options.launch);
    if (!trace) return tl::unexpected(trace.error());
    return print_recorded(**trace, options.format);
}

Result<int> report_recording(const ReportOptions& options) {
    auto request = launch_request(options.launch);
    if (!request) return tl::unexpected(request.error());
    if (!options.launch.blocks.empty())
        return fail("--blocks {}: the blocks of a recording were chosen when it was made; leave it out",
                    options.launch.blocks);
    auto trace = load_recording(recordings_folder(), *request->kernel, request->overrides);
    if (!trace) return tl::unexpected(trace.error());
    return print_recorded(**trace, options.format);
}

Result<int> report_on_gpu(const ReportOptions& options) {
    const auto run = run_on_gpu(options.launch, [&](const LoadedLaunch& launch) -> Result<GpuWish> {
        auto blocks = parse_blocks(options.launch.blocks, launch.launch.geometry.blocks());
        if (!blocks) return tl::unexpected(blocks.error());
        GpuWish wish;
        wish.time_grids_up_to = largest_timed_grid;
        wish.kept = blocks_for_model(launch.launch.geometry, *blocks, *launch.gpu);
        wish.blocks = std::move(*blocks);
        return wish;
    });
    if (!run) return tl::unexpected(run.error());
    analysis::LaunchReport& report = *run->recorded.report;
    const auto gpu = find_gpu(report.launch.gpu);
    if (run->recorded.trace) time_report(report, *run->recorded.trace, gpu ? **gpu : default_gpu());
    return print(report, run->launch.program, options.format);
}

}  // namespace

Result<int> report(const ReportOptions& options) {
    if (options.format != "text" && options.format != "json" && options.format != "csv") {
        return fail("--format {} is not known; it is text, json or csv", options.format);
    }
    auto kind = target_kind(options.launch.target);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == TargetKind::trace_file) return report_trace(options);

    const auto engine = engine_of(options.launch, Engine::simt);
    if (!engine) return tl::unexpected(engine.error());
    if (auto status = check_engine_flags(options.launch, *engine); !status)
        return tl::unexpected(status.error());
    if (*engine == Engine::cuda) return report_on_gpu(options);
    if (*engine == Engine::recorded) return report_recording(options);
    auto loaded = load_target(options.launch);
    if (!loaded) return tl::unexpected(loaded.error());
    auto blocks = parse_blocks(options.launch.blocks, loaded->launch.launch.geometry.blocks());
    if (!blocks) return tl::unexpected(blocks.error());
    const Program program = loaded->launch.program;
    ExecuteOptions execute;
    execute.model_time = true;
    execute.blocks = *blocks;
    if (options.launch.max_steps) execute.max_steps_per_warp = *options.launch.max_steps;
    auto executed = loaded->pipeline->execute(std::move(loaded->launch), execute);
    if (!executed) return tl::unexpected(executed.error());
    return print(*executed->report, program, options.format);
}

}  // namespace warplens::app
