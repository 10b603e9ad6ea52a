// Modelled streams: the copies, launches and graphs that a kernel's header declares ([streams]), scheduled
// without a GPU. One copy engine for each direction, kernels one after the other, operations of a stream in
// order, and a host that asks for one operation after the other. Kernels take as long as the timing model
// says; the rest is core/stream_costs.h. Not modelled: kernels that share the SMs, and copies in both
// directions that slow each other down. A GPU measures the same: app/pipeline/gpu/record_activities.h.
#pragma once

#include <functional>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "core/stream_costs.h"
#include "instrumentation/catalog/streams.h"
#include "trace/activity.h"

namespace warplens::app {

using KernelTime = std::function<Result<double>(const LaunchGeometry&)>;  // µs

/// One way of doing the work, on an idle GPU.
Result<trace::Activity> model_activity(const instrumentation::PreparedStreamVariant& variant,
                                       const StreamCosts& costs, const KernelTime& kernel_us);

/// All ways that the launch's header declares; none if it declares no streams. Each launch of a grid takes as
/// long as the first blocks of the kernel's own launch, as many as that grid has.
Result<std::vector<trace::Activity>> model_activities(Pipeline& pipeline, const LoadedLaunch& launch,
                                                      const std::function<bool()>& cancelled);

}  // namespace warplens::app
