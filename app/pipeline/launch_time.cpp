#include "app/pipeline/launch_time.h"

#include <algorithm>
#include <optional>

#include "app/pipeline/block_sample.h"
#include "app/pipeline/busiest_blocks.h"
#include "app/pipeline/launch_run.h"
#include "app/pipeline/machine_level.h"
#include "app/pipeline/time_report.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

/// Whether the blocks do the same without the others: they neither wait for them nor share work with them.
Result<bool> do_the_same_alone(const ExecutedLaunch& executed, const std::vector<std::uint64_t>& blocks,
                               const ExecuteOptions& asked) {
    LaunchRun::Keep keep;
    keep.interrupted = asked.keep_interrupted;
    keep.keep_report = false;
    WARPLENS_TRY(auto run, LaunchRun::start_again(executed.launch, std::move(keep)));
    simt::RunOptions options = options_again(asked, blocks);
    options.keep_work = true;
    bound_steps(options, executed.work);
    WARPLENS_TRY(run->execute(options));
    return run->completed() && same_work(run->work(), executed.work);
}

/// Executes `blocks` and keeps the trace of `kept`. The error is a clause.
Result<Timed> record(LoadedLaunch launch, const std::vector<std::uint64_t>& blocks,
                     trace::RecorderOptions kept, const ExecuteOptions& asked) {
    Timed timed;
    timed.code = launch.timed_code;
    timed.of_whole_grid = asked.blocks.empty();
    LaunchRun::Keep keep;
    keep.keep_trace = true;
    keep.interrupted = asked.keep_interrupted;
    keep.recorded = std::move(kept);
    WARPLENS_TRY(auto run, LaunchRun::start_again(std::move(launch), std::move(keep)));
    WARPLENS_TRY(run->execute(options_again(asked, blocks)));
    if (run->interrupted()) return fail("the run of its machine code was stopped");
    if (!run->completed())
        return fail("its machine code did not run to its end{}",
                    run->problems().empty() ? "" : ": " + run->problems().front().message);
    timed.trace = run->take_trace(*run->report());
    return timed;
}

/// The blocks of the SMs that end last, where blocks differ in work. Recorded blocks are those of one SM;
/// which one ends last is known after a run of the grid, whose work is `work`.
Result<std::optional<Timed>> busiest_to_time(const LoadedLaunch& launch, const std::vector<BlockWork>& work,
                                             const ExecuteOptions& options) {
    WARPLENS_TRY(auto busiest, record_busiest_sms(launch, work, options));
    if (!busiest) return std::nullopt;
    return Timed{std::move(busiest->trace), launch.timed_code, std::move(busiest->sms), true, steps_of(work)};
}

/// Whether to look for the SM that ends last in the machine code's own work, for which the grid is executed
/// once more: where the PTX's blocks differ, and of grids that a picture executes as well. A picture knows
/// the work of their machine code, and a report has the same time.
bool seeks_in_machine_code(const ExecutedLaunch& executed) {
    return static_cast<double>(steps_of(executed.work)) <= scene_budget.steps ||
           !busiest_sms_of(executed.launch, executed.work).empty();
}

/// The blocks that the model looks at, executed from machine code. The error is a clause.
Result<Timed> machine_code_to_time(const ExecutedLaunch& executed, bool seeks_busiest,
                                   const ExecuteOptions& options) {
    LoadedLaunch launch = executed.launch;
    WARPLENS_TRY(use_machine_code(launch, *executed.launch.built));
    std::uint64_t launch_steps = 0;
    if (seeks_busiest && seeks_in_machine_code(executed)) {
        WARPLENS_TRY(const auto work, work_of_grid(launch, options));
        launch_steps = steps_of(work);
        WARPLENS_TRY(auto busiest, busiest_to_time(launch, work, options));
        if (busiest) return std::move(*busiest);
    }
    const LaunchGeometry& geometry = launch.launch.geometry;
    trace::RecorderOptions kept = blocks_for_model(geometry, options.blocks, *launch.gpu);
    std::vector<std::uint64_t> blocks = kept.blocks;
    if (!geometry.cooperative && blocks.size() < executed.work.size()) {
        WARPLENS_TRY(const bool alone, do_the_same_alone(executed, blocks, options));
        if (!alone) blocks = options.blocks;
    }
    WARPLENS_TRY(Timed timed, record(std::move(launch), blocks, std::move(kept), options));
    timed.launch_steps = launch_steps;
    return timed;
}

/// Into the report: the time from machine code. The error is a clause: why there is none.
Status add_machine_time(analysis::LaunchReport& report, const ExecutedLaunch& executed, bool seeks_busiest,
                        const ExecuteOptions& options) {
    WARPLENS_TRY(recursion_ends(report));
    WARPLENS_TRY(const Timed timed, machine_code_to_time(executed, seeks_busiest, options));
    const GpuSpec& gpu = *executed.launch.gpu;
    WARPLENS_TRY(const auto schedule, model_time(timed, gpu, options.cancelled));
    set_time(report, executed.trace->program, gpu, schedule, Level::machine);
    add_time_as_measured(report, timed, gpu, options.cancelled);
    return {};
}

}  // namespace

Status recursion_ends(const analysis::LaunchReport& report) {
    if (std::ranges::find(report.problems, ProblemKind::stack_overflow, &Problem::kind) ==
        report.problems.end())
        return {};
    return fail("its recursion does not fit on the stack");
}

Status add_time(analysis::LaunchReport& report, const ExecutedLaunch& executed,
                const ExecuteOptions& options) {
    const LoadedLaunch& launch = executed.launch;
    const bool seeks_busiest =
        executed.completed && !executed.work.empty() && !options.keep_trace && options.blocks.empty();
    const bool from_machine_code =
        options.time_machine_code && launch.level == Level::ptx && executed.completed;
    Status machine = fail("");
    if (from_machine_code) machine = add_machine_time(report, executed, seeks_busiest, options);
    if (machine) return {};
    std::optional<Timed> busiest;
    if (seeks_busiest) {
        WARPLENS_TRY(busiest, busiest_to_time(launch, executed.work, options));
    }
    const bool whole = options.blocks.empty();
    const std::uint64_t steps = whole ? steps_of(executed.work) : 0;
    time_report(report, busiest ? *busiest : Timed{executed.trace, launch.timed_code, {}, whole, steps},
                *launch.gpu, options.cancelled, executed.completed);
    if (from_machine_code && report.schedule) report.schedule->why_ptx = machine.error().message;
    return {};
}

Status time_recorded(analysis::LaunchReport& report, const std::shared_ptr<const trace::Trace>& trace,
                     const LoadedLaunch* launch, const std::string& why_ptx,
                     const std::function<bool()>& cancelled) {
    if (launch) {
        ExecuteOptions options;
        options.time_machine_code = true;
        options.cancelled = cancelled;
        if (report.blocks_executed != trace->launch.geometry.blocks())
            options.blocks = trace::recorded_blocks(*trace);
        return add_time(report, {*launch, trace, {}, true}, options);
    }
    const auto gpu = find_gpu(trace->launch.gpu);
    time_report(report, {trace, {}, {}, report.blocks_executed == trace->launch.geometry.blocks()},
                gpu ? **gpu : default_gpu(), cancelled);
    if (report.schedule) report.schedule->why_ptx = why_ptx;
    return {};
}

}  // namespace warplens::app
