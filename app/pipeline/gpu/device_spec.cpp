#include <algorithm>

#include "app/pipeline/gpu/gpu.h"

namespace warplens::app {

using instrumentation::GpuFailure;

const GpuSpec* spec_of(const instrumentation::DeviceFacts& device) {
    std::string_view name = device.name;
    for (const std::string_view maker : {"NVIDIA ", "GeForce "})
        if (name.starts_with(maker)) name.remove_prefix(maker.size());
    if (const auto named = find_gpu(name)) return *named;
    const auto same = std::ranges::find_if(gpu_specs(), [&](const GpuSpec& spec) {
        return spec.major == device.compute_major && spec.minor == device.compute_minor;
    });
    return same == gpu_specs().end() ? nullptr : &*same;
}

bool means_no_gpu(const GpuFailure& failure) {
    return failure.kind == GpuFailure::Kind::no_driver || failure.kind == GpuFailure::Kind::no_device;
}

bool is_of_the_kernel(const GpuFailure& failure) {
    return failure.kind == GpuFailure::Kind::kernel_fault || failure.kind == GpuFailure::Kind::time_limit;
}

bool was_given_up(const GpuFailure& failure) {
    return is_of_the_kernel(failure) || failure.kind == GpuFailure::Kind::recording_fault;
}

}  // namespace warplens::app
