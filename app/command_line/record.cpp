// `warplens record`: executes a launch and keeps its trace as a .wltrace file.
#include <fmt/core.h>

#include "app/command_line/commands.h"
#include "app/command_line/target.h"
#include "trace/file/trace_file.h"
#include "trace/light.h"

namespace warplens::app {

Result<int> record(const RecordOptions& options) {
    if (options.mode == "proof")
        return fail("--mode proof hashes what a GPU does and needs one; use full or light");
    if (options.mode != "full" && options.mode != "light") {
        return fail("--mode {} is not known; it is full (with addresses) or light (without)", options.mode);
    }
    if (!options.output.ends_with(".wltrace")) {
        return fail("-o {}: a trace file's name ends in .wltrace", options.output);
    }
    auto kind = target_kind(options.launch.target);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == TargetKind::trace_file) {
        return fail("{} is a recorded trace already; record takes a kernel or a .cu file",
                    options.launch.target);
    }
    auto loaded = load_target(options.launch);
    if (!loaded) return tl::unexpected(loaded.error());
    auto blocks = parse_blocks(options.launch.blocks, loaded->launch.launch.geometry.blocks());
    if (!blocks) return tl::unexpected(blocks.error());

    ExecuteOptions execute;
    execute.blocks = *blocks;
    if (options.launch.max_steps) execute.max_steps_per_warp = *options.launch.max_steps;
    execute.keep_trace = true;
    auto executed = loaded->pipeline->execute(std::move(loaded->launch), execute);
    if (!executed) return tl::unexpected(executed.error());
    trace::Trace& trace = *executed->trace;
    if (options.mode == "light") trace::drop_accesses(trace);
    if (auto status = trace::write(trace, options.output); !status) return tl::unexpected(status.error());
    fmt::print("{}: {} of {} blocks, {} visits, {} requests{}\n", options.output,
               executed->report->blocks_executed, trace.launch.geometry.blocks(), trace.visits.size(),
               trace.accesses.size(),
               executed->report->problems.empty() ? "" : ", with problems: see report");
    return executed->report->problems.empty() ? exit_success : exit_kernel_problems;
}

}  // namespace warplens::app
