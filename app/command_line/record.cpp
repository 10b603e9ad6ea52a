// `warplens record`: executes a launch and keeps its trace as a .wltrace file.
#include <fmt/format.h>

#include "app/command_line/commands.h"
#include "app/command_line/gpu_target.h"
#include "app/command_line/output.h"
#include "app/command_line/run_watch.h"
#include "app/command_line/target.h"
#include "app/pipeline/gpu/measured_of.h"
#include "core/whole_file.h"
#include "instrumentation/device/protocol.h"
#include "trace/file/trace_file.h"
#include "trace/light.h"

namespace warplens::app {
namespace {

using instrumentation::RecordMode;

Result<RecordMode> parse_mode(const std::string& word, Engine engine) {
    for (const RecordMode mode : {RecordMode::light, RecordMode::full, RecordMode::proof}) {
        if (name_of(mode) != word) continue;
        if (mode == RecordMode::proof && engine != Engine::cuda)
            return fail("--mode proof hashes what a GPU does and needs one; use full or light");
        return mode;
    }
    return fail("--mode {} is not known; it is full (with addresses), light (without){}", word,
                engine == Engine::cuda ? " or proof (the CPU engine's addresses, proven equal)" : "");
}

std::string kept_words(const trace::Trace& trace, const std::string& output, std::uint64_t blocks) {
    return fmt::format("{}: {} of {} blocks, {} visits, {} requests", output, blocks,
                       trace.launch.geometry.blocks(), trace.visits.size(), trace.accesses.size());
}

/// "; light took 1.08 times the clean 12.3 us"
std::string cost_words(const trace::Measured& measured) {
    std::string words;
    for (const trace::Perturbation& cost : measured.perturbations)
        words += fmt::format("; {} took {:.2f} times the clean {:.1f} us", cost.mode, cost.slowdown(),
                             cost.clean_us);
    words += fmt::format("; caches {}", to_string(measured.caches));
    if (!measured.addresses.empty()) words += fmt::format("; addresses {}", measured.addresses);
    return words;
}

Result<int> record_on_gpu(const RecordOptions& options, RecordMode mode) {
    if (mode == RecordMode::proof && !options.launch.sms.empty())
        return fail("--mode proof records chosen blocks, not chosen SMs; use --blocks, or --mode full");
    WARPLENS_TRY(const auto run,
                 run_on_gpu(options.launch, [&](const LoadedLaunch& launch) -> Result<GpuRecordOptions> {
                     auto blocks = parse_blocks(options.launch.blocks, launch.launch.geometry.blocks());
                     if (!blocks) return tl::unexpected(blocks.error());
                     GpuRecordOptions gpu_options;
                     gpu_options.mode = mode;
                     gpu_options.time_grids_up_to = largest_timed_grid;
                     gpu_options.streams = true;
                     if (options.caches == to_string(Caches::cold)) gpu_options.caches = Caches::cold;
                     gpu_options.predict_whole = !options.every_pass;
                     gpu_options.blocks = std::move(*blocks);
                     return gpu_options;
                 }));
    const analysis::LaunchReport& report = *run.recorded.report;
    if (!run.recorded.trace) {
        print_message(fmt::format("{}; nothing was recorded", report.problems.front().message));
        return exit_kernel_problems;
    }
    const trace::Trace& trace = *run.recorded.trace;
    WARPLENS_TRY(trace::write(trace, options.output));
    print_about(options.output, kept_words(trace, options.output, report.blocks_executed) +
                                    cost_words(*run.recorded.measured));
    return report.golden.starts_with("failed") ? exit_kernel_problems : exit_success;
}

Result<int> record_on_cpu(const RecordOptions& options, RecordMode mode) {
    WARPLENS_TRY(check_engine_flags(options.launch, Engine::simt));
    WARPLENS_TRY(auto loaded, load_target(options.launch));
    WARPLENS_TRY(auto blocks, parse_blocks(options.launch.blocks, loaded.launch.launch.geometry.blocks()));

    ExecuteOptions execute;
    execute.blocks = blocks;
    if (options.launch.max_steps) execute.max_steps_per_warp = *options.launch.max_steps;
    execute.keep_trace = true;
    watch_run(execute, loaded.launch.launch.geometry);
    WARPLENS_TRY(auto executed, loaded.pipeline->execute(std::move(loaded.launch), execute));
    if (executed.interrupted)
        return fail("{}; nothing was written to {}", RunWatch::of_this_process().reason(), options.output);
    trace::Trace& trace = *executed.trace;
    if (mode == RecordMode::light) trace::drop_accesses(trace);
    WARPLENS_TRY(trace::write(trace, options.output));
    const bool problems = !executed.report->problems.empty();
    print_about(options.output, kept_words(trace, options.output, executed.report->blocks_executed) +
                                    (problems ? ", with problems: see report" : ""));
    return problems ? exit_kernel_problems : exit_success;
}

}  // namespace

Result<int> record(const RecordOptions& options) {
    WARPLENS_TRY(const auto engine, engine_of(options.launch, Engine::simt));
    WARPLENS_TRY(const auto mode, parse_mode(options.mode, engine));
    if (engine == Engine::recorded)
        return fail("--engine recorded shows what was recorded already; record takes simt or cuda");
    if (engine != Engine::cuda && !options.caches.empty())
        return fail("--caches {} is a condition of a GPU's caches; add --engine cuda", options.caches);
    if (!options.output.ends_with(".wltrace") && !is_written_directly(options.output)) {
        return fail("-o {}: a trace file's name ends in .wltrace", options.output);
    }
    WARPLENS_TRY(auto kind, target_kind(options.launch.target));
    if (kind == TargetKind::trace_file) {
        return fail("{} is a recorded trace already; record takes a kernel or a .cu file",
                    options.launch.target);
    }
    if (kind == TargetKind::cubin_file)
        return fail("{}: a trace is of PTX, which a .cubin does not have; give its .cu or .ptx file",
                    options.launch.target);
    WARPLENS_TRY(can_be_written(options.output));
    return engine == Engine::cuda ? record_on_gpu(options, mode) : record_on_cpu(options, mode);
}

}  // namespace warplens::app
