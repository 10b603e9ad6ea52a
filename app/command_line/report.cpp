// `warplens report`: executes a launch, or folds a recorded one, and prints what its warps did.
#include <cstdio>

#include "app/command_line/commands.h"
#include "app/command_line/target.h"
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

Result<int> report_trace(const ReportOptions& options) {
    auto trace = load_trace(options.launch);
    if (!trace) return tl::unexpected(trace.error());
    const auto report = fold_trace(**trace);
    const auto gpu = find_gpu((*trace)->launch.gpu);
    time_report(*report, **trace, gpu ? **gpu : default_gpu());
    return print(*report, (*trace)->program, options.format);
}

}  // namespace

Result<int> report(const ReportOptions& options) {
    if (options.format != "text" && options.format != "json" && options.format != "csv") {
        return fail("--format {} is not known; it is text, json or csv", options.format);
    }
    auto kind = target_kind(options.launch.target);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == TargetKind::trace_file) return report_trace(options);

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
