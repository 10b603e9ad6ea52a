#include "instrumentation/device/launch_kernel.h"

#include <array>

namespace warplens::instrumentation {

using Kind = GpuFailure::Kind;

namespace {

constexpr std::uint64_t portable_cluster = 8;  // blocks; more only where the kernel asks for it
constexpr const char* doing = "launching it";

bool can_launch(DeviceCalls& calls, const LaunchGeometry& geometry) {
    const bool clusters = geometry.cluster.count() > 1;
    const char* const what = clusters ? "clusters of blocks" : "cooperative launches";
    if (!calls.driver().launch_with)
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format("{} is not launched: {} need a driver of CUDA 11.8 or later, this one is {}",
                        calls.subject(), what, calls.driver_text()));
    if (calls.attribute(clusters ? cuda::cluster_launches : cuda::cooperative_launches) == 0)
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format(
                "{} is not launched: {} need a GPU of compute capability {} or later, this one has {}.{}",
                calls.subject(), what, clusters ? "9.0" : "6.0", calls.attribute(cuda::compute_major),
                calls.attribute(cuda::compute_minor)));
    return true;
}

}  // namespace

bool launch_kernel(DeviceCalls& calls, cuda::Function function, const LaunchGeometry& geometry,
                   std::vector<std::byte>& arguments) {
    const cuda::CudaDriver& driver = calls.driver();
    const Dim3 grid = geometry.grid, block = geometry.block, cluster = geometry.cluster;
    std::size_t bytes = arguments.size();
    void* extra[] = {reinterpret_cast<void*>(1), arguments.data(), reinterpret_cast<void*>(2), &bytes,
                     nullptr};  // CU_LAUNCH_PARAM_BUFFER_POINTER, …_SIZE, …_END
    void** const given = bytes > 0 ? extra : nullptr;
    if (cluster.count() <= 1 && !geometry.cooperative)
        return calls.ok(driver.launch(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                      geometry.dynamic_shared_bytes, calls.stream(), nullptr, given),
                        doing);
    if (!can_launch(calls, geometry)) return false;
    if (cluster.count() > portable_cluster &&
        !calls.ok(driver.set_function_attribute(function, cuda::any_cluster_size, 1),
                  "asking for a cluster of more than 8 blocks"))
        return false;
    std::array<cuda::LaunchAttribute, 2> attributes;
    cuda::LaunchConfig config{
        {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, geometry.dynamic_shared_bytes,
        calls.stream(),           attributes.data(),           0};
    if (cluster.count() > 1)
        attributes[config.attribute_count++] = {
            cuda::LaunchAttribute::cluster_dimension, 0, {cluster.x, cluster.y, cluster.z}};
    if (geometry.cooperative)
        attributes[config.attribute_count++] = {cuda::LaunchAttribute::cooperative, 0, {1}};
    const cuda::Code code = driver.launch_with(&config, function, nullptr, given);
    if (code == cuda::cooperative_launch_too_large)
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format(
                "{} cannot be launched: all {} blocks of a cooperative grid must run at once, and they do "
                "not fit on this GPU",
                calls.subject(), geometry.blocks()));
    if (code == cuda::invalid_cluster_size)
        return calls.fail_with(
            Kind::launch_refused,
            fmt::format("{} cannot be launched: this GPU runs no cluster of {} such blocks", calls.subject(),
                        cluster.count()));
    return calls.ok(code, doing);
}

}  // namespace warplens::instrumentation
