// CudaDriver: NVIDIA's driver library, opened when the runner starts, so that one program serves machines
// with and without it. Only what is called is declared, by our own prototypes (docs/decisions/0007); handles
// are opaque pointers. Next: device_calls.h, which turns their codes into sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/result.h"

namespace warplens::instrumentation::cuda {

using Code = int;                          // CUresult
using Device = int;                        // CUdevice
using DeviceAddress = unsigned long long;  // CUdeviceptr
using Context = void*;
using Module = void*;
using Function = void*;
using Stream = void*;
using Event = void*;

/// CUresult values that something here distinguishes.
enum : Code {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    stub_library = 34,
    device_unavailable = 46,
    no_device = 100,
    invalid_device = 101,
    invalid_image = 200,
    no_binary_for_gpu = 209,
    ecc_uncorrectable = 214,
    invalid_ptx = 218,
    jit_compiler_not_found = 221,
    unsupported_ptx_version = 222,
    jit_compilation_disabled = 223,
    contained = 226,
    not_found = 500,
    illegal_address = 700,
    launch_out_of_resources = 701,
    launch_timeout = 702,
    context_is_destroyed = 709,
    assertion = 710,
    hardware_stack_error = 714,
    illegal_instruction = 715,
    misaligned_address = 716,
    invalid_address_space = 717,
    invalid_pc = 718,
    launch_failed = 719,
    cooperative_launch_too_large = 720,
    system_not_ready = 802,
    system_driver_mismatch = 803,
    compat_not_supported = 804,
    invalid_cluster_size = 912,
};

enum DeviceAttribute : int {
    warp_size_attribute = 10,
    clock_rate_khz = 13,
    multiprocessors = 16,
    l2_cache_bytes = 38,
    compute_major = 75,
    compute_minor = 76,
    cooperative_launches = 95,
    shared_bytes_opt_in = 97,
    cluster_launches = 120,
};

enum FunctionAttribute : int {
    max_threads = 0,
    shared_static_bytes = 1,
    local_bytes = 3,
    registers = 4,
    max_dynamic_shared_bytes = 8,
    any_cluster_size = 14,
};

enum JitOption : int { error_log = 5, error_log_bytes = 6 };

/// CUlaunchAttribute: of the union of values the two that are used.
struct LaunchAttribute {
    enum Which : int { cooperative = 2, cluster_dimension = 4 };
    alignas(8) int which = 0;
    int unused = 0;
    unsigned value[16] = {};  // cooperative: 1; cluster_dimension: x, y, z
};

/// CUlaunchConfig.
struct LaunchConfig {
    unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    unsigned shared_bytes = 0;
    Stream stream = nullptr;
    LaunchAttribute* attributes = nullptr;
    unsigned attribute_count = 0;
};

struct CudaDriver {
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...) Code (*name)(__VA_ARGS__) = nullptr;
#include "instrumentation/device/driver_functions.def"
#undef WARPLENS_DRIVER_FUNCTION
    /// cuLaunchKernelEx; null in drivers before CUDA 11.8, which launch no clusters.
    Code (*launch_with)(const LaunchConfig*, Function, void**, void**) = nullptr;

    std::string path;  // of the library, links followed: ".../libcuda.so.580.159.04"

    /// Opens $WARPLENS_CUDA_DRIVER, or libcuda.so.1 where the loader and the toolkit look for it. The error
    /// says what was not found; the library is never closed.
    static Result<CudaDriver> open();
    /// "CUDA_ERROR_ILLEGAL_ADDRESS", or "error 700" when the driver does not say.
    std::string name_of(Code code) const;
};

}  // namespace warplens::instrumentation::cuda
