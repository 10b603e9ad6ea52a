#include "app/command_line/gpu_target.h"

#include <cstdio>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/gpu/gpu_launch.h"

namespace warplens::app {

Result<GpuRun> run_on_gpu(
    const LaunchFlags& flags,
    const std::function<Result<GpuRecordOptions>(const LoadedLaunch& launch)>& gpu_options) {
    if (auto status = check_engine_flags(flags, Engine::cuda); !status) return tl::unexpected(status.error());
    auto request = launch_request(flags);
    if (!request) return tl::unexpected(request.error());
    if (auto status = check_gpu_takes(*request->kernel); !status) return tl::unexpected(status.error());
    GpuLauncher launcher(gpu_of_this_machine());
    const auto device = launcher.gpu().device();
    if (!device) return fail("--engine cuda: {}", device.error().message);
    GpuRun run;
    run.pipeline = make_pipeline();
    auto loaded = run.pipeline->load(request_for(*request, *device));
    if (!loaded) return tl::unexpected(loaded.error());
    run.launch = std::move(*loaded);
    auto asked = gpu_options(run.launch);
    if (!asked) return tl::unexpected(asked.error());
    auto sms = parse_sms(flags.sms, device->sm_count);
    if (!sms) return tl::unexpected(sms.error());
    asked->sms = std::move(*sms);
    asked->time_limit_s = flags.time_limit_s.value_or(asked->time_limit_s);

    auto recorded = launcher.record(run.launch, *asked);
    if (!recorded && !is_of_the_kernel(recorded.error())) return fail("{}", recorded.error().message);
    if (recorded) run.recorded = std::move(*recorded);
    else run.recorded.report = faulted_report(run.launch, recorded.error());
    for (const std::string& note : run.recorded.notes) std::fprintf(stderr, "warplens: %s\n", note.c_str());
    return run;
}

}  // namespace warplens::app
