// Measures the streams that a kernel's header declares for the host: each variant becomes one activity of the
// Trace. record_launch.h records what the kernel itself does.
#pragma once

#include <functional>
#include <vector>

#include "app/pipeline/gpu/gpu.h"
#include "app/pipeline/pipeline.h"
#include "trace/activity.h"

namespace warplens::app {

/// Empty when the kernel declares no streams. Nothing of the launch's own recording is needed or changed.
instrumentation::GpuResult<std::vector<trace::Activity>> record_activities(
    const LoadedLaunch& launch, const Gpu& gpu, const std::function<bool()>& cancelled = {});

}  // namespace warplens::app
