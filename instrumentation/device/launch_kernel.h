// Launches a kernel as its geometry says: by itself, as a grid that runs at once, or in clusters of blocks.
#pragma once

#include <cstddef>
#include <vector>

#include "core/launch.h"
#include "instrumentation/device/device_calls.h"

namespace warplens::instrumentation {

/// Queues it after what stands in the stream. `arguments` is the parameter space. False: `calls.failure`
/// says why the GPU or the driver does not take such a launch.
bool launch_kernel(DeviceCalls& calls, cuda::Function function, const LaunchGeometry& geometry,
                   std::vector<std::byte>& arguments);

}  // namespace warplens::instrumentation
