#include "app/pipeline/gpu/record_activities.h"

#include "app/pipeline/gpu/gpu_launch.h"
#include "app/pipeline/gpu/measured_of.h"
#include "instrumentation/device/stream_plan.h"

namespace warplens::app {

namespace instr = instrumentation;

instr::GpuResult<std::vector<trace::Activity>> record_activities(const LoadedLaunch& launch, const Gpu& gpu,
                                                                 const std::function<bool()>& cancelled) {
    using Kind = instr::GpuFailure::Kind;
    const auto refused = [](const Error& error) {
        return tl::unexpected(instr::GpuFailure{Kind::launch_refused, error.message});
    };
    if (!launch.kernel || !launch.kernel->streams) return std::vector<trace::Activity>{};
    if (!gpu.run_streams)
        return tl::unexpected(instr::GpuFailure{Kind::no_device, "there is no GPU that could run streams"});
    const LaunchGeometry& geometry = launch.launch.geometry;
    if (geometry.cooperative || geometry.cluster.count() > 1)
        return tl::unexpected(instr::GpuFailure{
            Kind::launch_refused,
            fmt::format("launches of {} are not put into streams",
                        geometry.cooperative ? "cooperative grids" : "clusters of blocks")});
    const auto variants = instr::prepare_streams(*launch.kernel, launch.prepared);
    if (!variants) return refused(variants.error());
    const auto plan = instr::make_stream_plan(*variants, launch.prepared, launch.program.parameters);
    if (!plan) return refused(plan.error());
    const auto asked = gpu_launch(launch);
    if (!asked) return refused(asked.error());
    instr::GpuRunOptions options;
    options.cancelled = cancelled;
    auto activities = gpu.run_streams(*asked, *plan, options);
    if (!activities) return activities;
    const std::string date = utc_now();
    for (trace::Activity& activity : *activities) activity.date = date;
    return activities;
}

}  // namespace warplens::app
