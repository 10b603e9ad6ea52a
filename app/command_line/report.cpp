// `warplens report`: executes a launch, or folds a recorded one, and prints what its warps did.
#include <algorithm>
#include <optional>
#include <string>

#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/reported.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/advice/advise.h"
#include "app/pipeline/find_races.h"
#include "app/scene/advice_json.h"
#include "app/scene/time_scene.h"

namespace warplens::app {
namespace {

std::string formatted(const analysis::LaunchReport& report, const Program& program,
                      const std::string& format) {
    if (format == "text") return analysis::to_text(report, program);
    if (format == "json") return analysis::to_json(report, program);
    return analysis::to_csv(report, program);
}

/// A reader of a report waits: fewer changes and less time than the window takes in the background.
constexpr AdviceLimits report_limits{std::chrono::milliseconds{3000}, 1.5e7, 0, 0.7,
                                     std::chrono::milliseconds{12000}};

/// Of a time that somebody chose: two runs of as many steps are a small part of it.
constexpr double compared_steps_per_second = 5e6;

/// Of a kernel that the CPU engine can run; nothing for a recorded launch or a GPU's.
std::optional<Advice> tried_changes(const LaunchFlags& flags, double seconds, Pipeline& pipeline) {
    const auto kind = target_kind(flags.target);
    const auto engine = engine_of(flags, Engine::simt);
    if (!kind || *kind == TargetKind::trace_file || !engine || *engine != Engine::simt) return {};
    const auto launch = launch_request(flags);
    if (!launch) return {};
    AdviceRequest request{launch->kernel, launch->overrides, launch->gpu};
    if (!flags.level.empty()) request.times = flags.level == "machine" ? Level::machine : Level::ptx;
    AdviceLimits limits = report_limits;
    if (seconds > 0) {
        limits.time = limits.most_time =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
        limits.compared_steps = std::max(limits.compared_steps, seconds * compared_steps_per_second);
    }
    return advise(pipeline, timing_model(), request, limits, should_stop);
}

/// The report with `advice`: it is there where somebody asked for it.
std::string with_advice(const std::string& report, const Advice& advice) {
    Json out = parse_json(report).value_or(Json{});
    out["advice"] = to_json(advice);
    return json_text(out, 2) + "\n";
}

}  // namespace

Result<int> report(const ReportOptions& options) {
    if (!options.versus.empty()) return report_versus(options);
    if (options.format == "markdown")
        return fail("--format markdown is of a comparison; add --versus SETTING, KERNEL or FILE");
    if (options.format != "text" && options.format != "json" && options.format != "csv") {
        return fail("--format {} is not known; it is text, json or csv", options.format);
    }
    ReportRunOptions run_options;
    run_options.races = races_named(options.check_races);
    run_options.pipeline = make_pipeline();
    run_options.count_machine_code = options.format != "csv";
    WARPLENS_TRY(const auto reported, report_of(options.launch, run_options));
    std::string text = formatted(*reported.report, reported.program, options.format);
    const bool is_wanted =
        options.format == "text" || (options.format == "json" && options.advice_seconds > 0);
    if (is_wanted && options.advice && !never_ends(reported.report->problems) && reported.stopped.empty())
        if (const auto advice = tried_changes(options.launch, options.advice_seconds, *run_options.pipeline))
            text = options.format == "json" ? with_advice(text, *advice) : text + "\n" + advice_text(*advice);
    print_result(text);
    if (!text.empty() && text.back() != '\n') print_result("\n");
    if (!reported.stopped.empty()) {
        print_message(reported.stopped);
        return exit_kernel_problems;
    }
    return is_faulty(*reported.report) ? exit_kernel_problems : exit_success;
}

}  // namespace warplens::app
