// `warplens export`: the modelled schedule of a launch, and what a GPU measured of it, as a file for Chrome's
// and Perfetto's trace viewers.
#include <fmt/format.h>

#include "analysis/time/activity_events.h"
#include "analysis/time/trace_events.h"
#include "analysis/wording.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "core/whole_file.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {

namespace {

Result<int> export_streams(const ExportOptions& options) {
    if (!options.cycles.empty()) return fail("--cycles limits the schedule; streams have no cycles");
    const auto kind = target_kind(options.launch.target);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind != TargetKind::trace_file)
        return fail("--streams exports what a GPU measured, from a .wltrace file; {} is none",
                    options.launch.target);
    const auto trace = load_trace(options.launch);
    if (!trace) return tl::unexpected(trace.error());
    auto file = WholeFile::create(options.output);
    if (!file) return tl::unexpected(file.error());
    const auto written = analysis::write_activity_events(
        (*trace)->activities, [&](std::string_view text) { return file->append(text); });
    if (!written) return fail("{}: {}", options.launch.target, written.error().message);
    if (auto kept = file->keep(); !kept) return tl::unexpected(kept.error());
    print_about(options.output,
                fmt::format("{}: {} of {} of doing the work, measured on {}; open it in ui.perfetto.dev or "
                            "chrome://tracing",
                            options.output, analysis::counted(written->spans, "span"),
                            analysis::counted((*trace)->activities.size(), "way"),
                            (*trace)->activities.front().device));
    return exit_success;
}

}  // namespace

Result<int> export_trace(const ExportOptions& options) {
    if (!options.output.ends_with(".json") && !is_standard_output(options.output))
        return fail("-o {}: a trace for Chrome's and Perfetto's viewers ends in .json", options.output);
    if (options.streams) return export_streams(options);
    analysis::TraceEventOptions range;
    if (!options.cycles.empty()) {
        const auto cycles = parse_cycles(options.cycles);
        if (!cycles) return tl::unexpected(cycles.error());
        range = {cycles->first, cycles->second};
    }
    const auto scene = load_scene(options.launch);
    if (!scene) return tl::unexpected(scene.error());
    const auto schedule = simt::schedule(*scene->trace, *scene->gpu);
    if (!schedule && !scene->trace->measured) return tl::unexpected(schedule.error());

    auto file = WholeFile::create(options.output);
    if (!file) return tl::unexpected(file.error());
    const analysis::TextSink sink = [&](std::string_view text) { return file->append(text); };
    const auto written = schedule ? analysis::write_trace_events(*scene->trace, *schedule, range, sink)
                                  : analysis::write_trace_events(*scene->trace, range, sink);
    if (!written) return tl::unexpected(written.error());
    if (auto kept = file->keep(); !kept) return tl::unexpected(kept.error());
    std::string summary;
    if (schedule)
        summary = fmt::format("{} states of {} in {} on one SM of {}, {}", analysis::grouped(written->states),
                              analysis::counted(written->warps, "warp"),
                              analysis::counted(written->blocks, "block"), schedule->gpu,
                              to_string(schedule->provenance));
    else print_message(fmt::format("nothing modelled is exported: {}", schedule.error().message));
    if (scene->trace->measured)
        summary +=
            fmt::format("{}{} of {}, measured on {}", summary.empty() ? "" : "; ",
                        analysis::counted(written->measured_visits, "visit"),
                        analysis::counted(written->measured_warps, "warp"), scene->trace->measured->device);
    print_about(options.output, fmt::format("{}: {}; open it in ui.perfetto.dev or chrome://tracing",
                                            options.output, summary));
    return exit_code_of(*scene, options.output);
}

}  // namespace warplens::app
