// A launch of the command line on this machine's GPU.
#pragma once

#include <functional>
#include <memory>

#include "app/command_line/options.h"
#include "app/pipeline/gpu/record_launch.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// A launch that came back from the GPU, or that its kernel's own fault ended: then nothing was recorded and
/// the report holds the problem.
struct GpuRun {
    GpuRecorded recorded;
    std::shared_ptr<Pipeline> pipeline;
    LoadedLaunch launch;
};

/// Loads the target for the GPU at hand and records it; notes go to standard error. `gpu_options` is called
/// once the launch is known. Errors: no GPU, bad input, and everything else that is not the kernel's fault.
Result<GpuRun> run_on_gpu(
    const LaunchFlags& flags,
    const std::function<Result<GpuRecordOptions>(const LoadedLaunch& launch)>& gpu_options);

}  // namespace warplens::app
