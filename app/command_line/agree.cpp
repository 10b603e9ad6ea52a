// `warplens agree`: compares a GPU with the CPU engine, record by record, or two recorded traces with each
// other.
#include <fmt/format.h>

#include "app/command_line/commands.h"
#include "app/command_line/gpu_target.h"
#include "app/command_line/output.h"
#include "app/command_line/target.h"
#include "app/pipeline/agree.h"
#include "app/pipeline/recordings.h"

namespace warplens::app {
namespace {

int print(const std::string& what, const trace::Agreement& agreement) {
    print_result(fmt::format("{}: {}\n", what, agreement_words(agreement)));
    return agreement.lane_by_lane() ? exit_success : exit_kernel_problems;
}

Result<int> agree_traces(const AgreeOptions& options) {
    LaunchFlags other = options.launch;
    other.target = options.other;
    WARPLENS_TRY(const auto first, load_trace(options.launch));
    WARPLENS_TRY(const auto second, load_trace(other));
    if (first->program.ptx != second->program.ptx)
        return fail("{} and {} are of different PTX, so their records cannot be compared",
                    options.launch.target, options.other);
    // The engine's own trace is the reference.
    const bool swapped = first->launch.engine == "cuda" && second->launch.engine != "cuda";
    const trace::Trace& cpu = swapped ? *second : *first;
    const trace::Trace& gpu = swapped ? *first : *second;
    const bool addresses = !cpu.accesses.empty() && !gpu.accesses.empty();
    return print(fmt::format("{} and {}", options.launch.target, options.other),
                 compare_traces(cpu, gpu, addresses));
}

Result<int> agree_recording(const AgreeOptions& options) {
    WARPLENS_TRY(const auto request, launch_request(options.launch));
    WARPLENS_TRY(const auto recorded,
                 load_recording(recordings_folder(), *request.kernel, request.overrides));
    WARPLENS_TRY(const auto launch, launch_of_recording(request.kernel, *recorded));
    WARPLENS_TRY(const auto agreement, agree_with_engine(*make_pipeline(), launch, *recorded));
    return print(options.launch.target, agreement);
}

Result<int> agree_on_gpu(const AgreeOptions& options) {
    WARPLENS_TRY(const auto run,
                 run_on_gpu(options.launch, [&](const LoadedLaunch& launch) -> Result<GpuRecordOptions> {
                     auto blocks = parse_blocks(options.launch.blocks, launch.launch.geometry.blocks());
                     if (!blocks) return tl::unexpected(blocks.error());
                     GpuRecordOptions gpu_options;
                     gpu_options.blocks = std::move(*blocks);
                     gpu_options.repeats = 1;
                     return gpu_options;
                 }));
    if (!run.recorded.trace) {
        print_message(run.recorded.report->problems.front().message + "; nothing was recorded");
        return exit_kernel_problems;
    }
    WARPLENS_TRY(const auto agreement, agree_with_engine(*run.pipeline, run.launch, *run.recorded.trace));
    const int code = print(options.launch.target, agreement);
    if (run.recorded.blocks_left_out == 0) return code;
    print_result(fmt::format("{}: {} blocks could not be compared\n", options.launch.target,
                             run.recorded.blocks_left_out));
    return exit_kernel_problems;
}

}  // namespace

Result<int> agree(const AgreeOptions& options) {
    WARPLENS_TRY(const auto kind, target_kind(options.launch.target));
    const bool is_trace = kind == TargetKind::trace_file;
    if (is_trace != !options.other.empty() || (is_trace && !options.other.ends_with(".wltrace")))
        return fail(
            "agree takes a kernel or a .cu file, to compare the GPU with the CPU engine, or two .wltrace "
            "files");
    if (is_trace) return agree_traces(options);
    WARPLENS_TRY(const auto engine, engine_of(options.launch, Engine::cuda));
    if (engine == Engine::simt)
        return fail(
            "--engine simt: agree compares cuda or recorded with the CPU engine, which is always one "
            "of the two");
    return engine == Engine::cuda ? agree_on_gpu(options) : agree_recording(options);
}

}  // namespace warplens::app
