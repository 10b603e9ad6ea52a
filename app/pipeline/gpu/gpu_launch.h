// GpuLaunch of a LoadedLaunch: what the device runner is given of a kernel that the pipeline loaded.
#pragma once

#include "app/pipeline/pipeline.h"
#include "instrumentation/device/gpu_recorder.h"

namespace warplens::app {

/// Whether the kernel can be recorded on a GPU at all. The error is a sentence; no driver is needed to know
/// it.
Status check_gpu_takes(const instrumentation::KernelFile& kernel);

/// Its spans are of `launch`.
Result<instrumentation::GpuLaunch> gpu_launch(const LoadedLaunch& launch);

}  // namespace warplens::app
