// `warplens export`: the modelled schedule of a launch, and what a GPU measured of it, as a file for Chrome's
// and Perfetto's trace viewers.
#include <fmt/format.h>

#include "analysis/time/activity_events.h"
#include "analysis/time/trace_events.h"
#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "core/whole_file.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {

namespace {

tl::unexpected<Error> export_stopped() {
    return fail("{}; nothing was exported", RunWatch::of_this_process().reason());
}

Result<int> export_streams(const ExportOptions& options) {
    if (!options.cycles.empty()) return fail("--cycles limits the schedule; streams have no cycles");
    WARPLENS_TRY(const auto kind, target_kind(options.launch.target));
    if (kind != TargetKind::trace_file)
        return fail("--streams exports what a GPU measured, from a .wltrace file; {} is none",
                    options.launch.target);
    WARPLENS_TRY(const auto trace, load_trace(options.launch));
    WARPLENS_TRY(auto file, WholeFile::create(options.output));
    const auto written = analysis::write_activity_events(
        trace->activities, [&](std::string_view text) { return file.append(text); });
    if (!written) return fail("{}: {}", options.launch.target, written.error().message);
    WARPLENS_TRY(file.keep());
    print_about(
        options.output,
        fmt::format("{}: {} of {} of doing the work, measured on {}; open it in ui.perfetto.dev or "
                    "chrome://tracing",
                    options.output, analysis::counted(written->spans, "span"),
                    analysis::counted(trace->activities.size(), "way"), trace->activities.front().device));
    return exit_success;
}

}  // namespace

Result<int> export_trace(const ExportOptions& options) {
    if (!options.output.ends_with(".json") && !is_written_directly(options.output))
        return fail("-o {}: a trace for Chrome's and Perfetto's viewers ends in .json", options.output);
    WARPLENS_TRY(can_be_written(options.output));
    if (options.streams) return export_streams(options);
    analysis::TraceEventOptions range;
    if (!options.cycles.empty()) {
        WARPLENS_TRY(const auto cycles, parse_cycles(options.cycles));
        range = {cycles.first, cycles.second};
    }
    WARPLENS_TRY(const auto scene, load_scene(options.launch));
    simt::TimingRequest request;
    request.cancelled = should_stop;
    if (scene.timing) request.code = scene.timing->code;  // machine code
    request.of_whole_grid = scene.report->blocks_executed == scene.trace->launch.geometry.blocks();
    const auto schedule = simt::schedule(*scene.trace, *scene.gpu, request);
    if (should_stop()) return export_stopped();
    if (!schedule && !scene.trace->measured) return tl::unexpected(schedule.error());

    WARPLENS_TRY(auto file, WholeFile::create(options.output));
    const analysis::TextSink sink = [&](std::string_view text) -> Status {
        if (should_stop()) return export_stopped();
        return file.append(text);
    };
    WARPLENS_TRY(const auto written, schedule
                                         ? analysis::write_trace_events(*scene.trace, *schedule, range, sink)
                                         : analysis::write_trace_events(*scene.trace, range, sink));
    WARPLENS_TRY(file.keep());
    std::string summary;
    if (schedule)
        summary =
            fmt::format("{} states of {} in {} on one SM of {}, {}", analysis::grouped(written.states),
                        analysis::counted(written.warps, "warp"), analysis::counted(written.blocks, "block"),
                        schedule->gpu, to_string(schedule->provenance));
    else print_message(fmt::format("nothing modelled is exported: {}", schedule.error().message));
    if (scene.trace->measured)
        summary +=
            fmt::format("{}{} of {}, measured on {}", summary.empty() ? "" : "; ",
                        analysis::counted(written.measured_visits, "visit"),
                        analysis::counted(written.measured_warps, "warp"), scene.trace->measured->device);
    print_about(options.output, fmt::format("{}: {}; open it in ui.perfetto.dev or chrome://tracing",
                                            options.output, summary));
    return exit_code_of(scene, options.output);
}

}  // namespace warplens::app
