#include "app/command_line/reported.h"

#include <algorithm>

#include "analysis/wording.h"
#include "app/command_line/gpu_target.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/block_sample.h"
#include "app/pipeline/find_races.h"
#include "app/pipeline/launch_time.h"
#include "app/pipeline/machine_level.h"
#include "app/pipeline/recordings.h"
#include "app/pipeline/time_report.h"

namespace warplens::app {
namespace {

/// A recorded launch with its time. `launch`: its kernel, whose machine code the CPU engine executes; null:
/// it is not known, as `why_ptx` says.
Result<Reported> report_recorded(std::shared_ptr<const trace::Trace> trace, const LoadedLaunch* launch,
                                 const std::string& why_ptx) {
    const auto report = fold_trace(*trace);
    WARPLENS_TRY(time_recorded(*report, trace, launch, why_ptx, should_stop));
    return Reported{report, trace->program, RunWatch::of_this_process().reason()};
}

bool times_machine_code(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    return run_options.time_machine_code && flags.level.empty();
}

Result<Reported> report_recording(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    WARPLENS_TRY(auto request, launch_request(flags));
    if (!flags.blocks.empty())
        return fail("--blocks {}: the blocks of a recording were chosen when it was made; leave it out",
                    flags.blocks);
    WARPLENS_TRY(auto trace, load_recording(recordings_folder(), *request.kernel, request.overrides));
    if (!times_machine_code(flags, run_options)) return report_recorded(std::move(trace), nullptr, "");
    if (find_gpu(trace->launch.gpu)) request.gpu = trace->launch.gpu;
    const auto pipeline = run_options.pipeline ? run_options.pipeline : make_pipeline();
    const auto launch = pipeline->load(request);
    return report_recorded(std::move(trace), launch ? &*launch : nullptr,
                           launch ? "" : launch.error().message);
}

Result<Reported> report_on_gpu(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    WARPLENS_TRY(const auto run,
                 run_on_gpu(flags, [&](const LoadedLaunch& launch) -> Result<GpuRecordOptions> {
                     auto blocks = parse_blocks(flags.blocks, launch.launch.geometry.blocks());
                     if (!blocks) return tl::unexpected(blocks.error());
                     GpuRecordOptions gpu_options;
                     gpu_options.time_grids_up_to = largest_timed_grid;
                     gpu_options.kept = blocks_for_model(launch.launch.geometry, *blocks, *launch.gpu);
                     gpu_options.blocks = std::move(*blocks);
                     return gpu_options;
                 }));
    analysis::LaunchReport& report = *run.recorded.report;
    if (run.recorded.trace) {
        WARPLENS_TRY(time_recorded(report, run.recorded.trace,
                                   times_machine_code(flags, run_options) ? &run.launch : nullptr, "",
                                   should_stop));
    }
    return Reported{run.recorded.report, run.launch.program, RunWatch::of_this_process().reason()};
}

/// A launch with more steps is not executed a second time, which would take seconds.
constexpr std::uint64_t most_steps_counted_twice = 200'000'000;

/// Executes the launch once more, from its machine code, for the counts. `program`: gets the code's.
Result<Executed> execute_machine_code(const LaunchFlags& flags, std::shared_ptr<Pipeline> pipeline,
                                      ExecuteOptions options, Program& program) {
    WARPLENS_TRY(auto loaded, load_again(flags, std::move(pipeline)));
    WARPLENS_TRY(use_machine_code(loaded.launch, *loaded.launch.built));
    program = loaded.launch.program;
    options.model_time = false;
    options.races = ExecuteOptions::Races::off;
    watch_run(options, loaded.launch.launch.geometry);
    return loaded.pipeline->execute(std::move(loaded.launch), options);
}

/// Fills LaunchReport::machine_code or the reason why it is missing.
void count_machine_code(analysis::LaunchReport& report, const LaunchFlags& flags,
                        std::shared_ptr<Pipeline> pipeline, const ExecuteOptions& options) {
    if (never_ends(report.problems)) {
        report.machine_code_absent = "the kernel does not end";
        return;
    }
    if (report.steps > most_steps_counted_twice) {
        report.machine_code_absent = fmt::format("a launch of {} steps takes long; --level machine counts it",
                                                 analysis::grouped(report.steps));
        return;
    }
    if (const Status ends = recursion_ends(report); !ends) {
        report.machine_code_absent = ends.error().message;
        return;
    }
    Program program;
    const auto executed = execute_machine_code(flags, std::move(pipeline), options, program);
    if (!executed) report.machine_code_absent = executed.error().message;
    else if (executed->interrupted) report.machine_code_absent = RunWatch::of_this_process().reason();
    else if (const auto stopped = std::ranges::find(executed->report->problems,
                                                    ProblemKind::unsupported_instruction, &Problem::kind);
             stopped != executed->report->problems.end())
        report.machine_code_absent = stopped->message;
    else
        report.machine_code = std::make_shared<const analysis::MachineRun>(
            analysis::MachineRun{std::move(*executed->report), std::move(program)});
}

std::string stopped_words(const std::string& reason, std::uint64_t executed, std::uint64_t asked) {
    if (executed < asked)
        return fmt::format("{}: {} of {} blocks were executed", reason, analysis::grouped(executed),
                           analysis::grouped(asked));
    return reason + ": all blocks were executed, but not analysed to the end";
}

/// Only the CPU engine searches for races: a request must not be ignored silently.
Error no_races_in(std::string_view what) {
    return {
        fmt::format("--check-races on: {} does not report races; the CPU engine searches for them "
                    "(--engine simt), or leave the flag out",
                    what)};
}

}  // namespace

ExecuteOptions::Races races_named(std::string_view word) {
    using Races = ExecuteOptions::Races;
    return word == "on" ? Races::on : word == "off" ? Races::off : Races::within_budget;
}

Result<Reported> report_of(const LaunchFlags& flags, const ReportRunOptions& run_options) {
    WARPLENS_TRY(auto kind, target_kind(flags.target));
    const bool races_wanted = run_options.races == ExecuteOptions::Races::on;
    if (kind == TargetKind::trace_file) {
        if (races_wanted) return tl::unexpected(no_races_in("a recorded trace"));
        WARPLENS_TRY(auto trace, load_trace(flags));
        const bool asked = times_machine_code(flags, run_options);
        return report_recorded(std::move(trace), nullptr,
                               asked ? "a recorded trace does not contain its machine code" : "");
    }

    WARPLENS_TRY(const auto engine, engine_of(flags, Engine::simt));
    if (races_wanted && engine != Engine::simt)
        return tl::unexpected(no_races_in(engine == Engine::cuda ? "a GPU" : "a recording"));
    WARPLENS_TRY(check_engine_flags(flags, engine));
    if (engine == Engine::cuda) return report_on_gpu(flags, run_options);
    if (engine == Engine::recorded) return report_recording(flags, run_options);
    const RunWatch& watch = RunWatch::of_this_process();
    WARPLENS_TRY(auto loaded, load_target(flags, run_options.pipeline));
    WARPLENS_TRY(auto blocks, parse_blocks(flags.blocks, loaded.launch.launch.geometry.blocks()));
    if (blocks.empty()) {
        const LaunchGeometry& whole = loaded.launch.launch.geometry;
        blocks = blocks_in_reach(whole, loaded.launch.gpu->sm_count);
        if (!blocks.empty())
            print_message(fmt::format(
                "{}: {} blocks would take minutes to hours; {} of them are executed (--blocks names others)",
                loaded.launch.launch.kernel, analysis::grouped(whole.blocks()),
                analysis::grouped(blocks.size())));
    }
    Program program = loaded.launch.program;
    ExecuteOptions execute;
    execute.model_time = run_options.model_time;
    execute.time_machine_code = times_machine_code(flags, run_options);
    execute.blocks = blocks;
    execute.threads = run_options.threads;
    execute.races = run_options.races;
    if (flags.max_steps) execute.max_steps_per_warp = *flags.max_steps;
    const LaunchGeometry geometry = loaded.launch.launch.geometry;
    watch_run(execute, geometry);
    const bool also_by_machine_code =
        run_options.count_machine_code && flags.level.empty() && kind != TargetKind::cubin_file;
    WARPLENS_TRY(auto executed, loaded.pipeline->execute(std::move(loaded.launch), execute));
    if (also_by_machine_code && watch.reason().empty())
        count_machine_code(*executed.report, flags, loaded.pipeline, execute);
    Reported reported{executed.report, std::move(program)};
    if (!watch.reason().empty())
        reported.stopped = stopped_words(watch.reason(), executed.report->blocks_executed,
                                         execute.blocks.empty() ? geometry.blocks() : execute.blocks.size());
    return reported;
}

bool is_faulty(const analysis::LaunchReport& report) {
    return !report.problems.empty() || report.golden.starts_with("failed");
}

}  // namespace warplens::app
