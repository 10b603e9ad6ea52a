#include "app/command_line/gpu_target.h"

#include <cstdio>

#include "app/command_line/target.h"
#include "app/pipeline/engines.h"
#include "app/pipeline/gpu/gpu_launch.h"

namespace warplens::app {

Result<GpuRun> run_on_gpu(
    const LaunchFlags& flags,
    const std::function<Result<GpuRecordOptions>(const LoadedLaunch& launch)>& gpu_options) {
    WARPLENS_TRY(check_engine_flags(flags, Engine::cuda));
    WARPLENS_TRY(auto request, launch_request(flags));
    WARPLENS_TRY(check_gpu_takes(*request.kernel));
    GpuLauncher launcher(gpu_of_this_machine());
    const auto device = launcher.gpu().device();
    if (!device) return fail("--engine cuda: {}", device.error().message);
    GpuRun run;
    run.pipeline = make_pipeline();
    WARPLENS_TRY(run.launch, run.pipeline->load(request_for(request, *device)));
    WARPLENS_TRY(auto asked, gpu_options(run.launch));
    WARPLENS_TRY(asked.sms, parse_sms(flags.sms, device->sm_count));
    asked.time_limit_s = flags.time_limit_s.value_or(asked.time_limit_s);

    auto recorded = launcher.record(run.launch, asked);
    if (!recorded && !is_of_the_kernel(recorded.error())) return fail("{}", recorded.error().message);
    if (recorded) run.recorded = std::move(*recorded);
    else run.recorded.report = faulted_report(run.launch, recorded.error());
    for (const std::string& note : run.recorded.notes) print_message(note);
    return run;
}

}  // namespace warplens::app
