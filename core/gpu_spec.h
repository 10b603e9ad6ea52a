// GpuSpec: one row per GPU, each number with its source in gpu_spec.cpp. Limits are those of the CUDA
// programming guide's table of compute capabilities; a number that has not been measured or published is 0
// and is never guessed. GPUs with limits of your own: core/own_gpu.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/compute_peaks.h"
#include "core/result.h"

namespace warplens {

struct GpuSpec {
    std::string_view name;     // "H200"
    int major = 0, minor = 0;  // compute capability
    int sm_count = 0;
    int schedulers_per_sm = 4;
    int max_threads_per_block = 1024;
    int max_warps_per_sm = 0;
    int max_blocks_per_sm = 0;
    int registers_per_sm = 0;  // 32-bit registers
    int max_registers_per_thread = 255;
    int register_allocation_unit = 0;  // registers, allocated per warp
    int min_registers_per_thread = 0;  // fewer are rounded up to this when allocating
    int warp_allocation_granularity = 4;
    int shared_bytes_per_sm = 0;              // largest carve-out
    int max_shared_bytes_per_block = 0;       // with opt-in
    int shared_allocation_unit = 0;           // bytes
    int reserved_shared_bytes_per_block = 0;  // taken by the system out of each block's share
    double dram_bytes_per_second = 0;         // 0: unknown
    ComputePeaks peaks;
    double boost_clock_hz = 0;  // of the SMs
    std::uint64_t l2_bytes = 0;
    std::string_view source;  // where the row comes from
    std::string_view
        based_on;  // of a GPU with other limits (core/own_gpu.h): the GPU whose limits they replace
};

std::span<const GpuSpec> gpu_specs();
/// By name, ignoring case ("H200", "rtx 4090"), by compute capability ("9.0", "sm_90"), or one of these with
/// other limits ("H200 with shared=100KiB", core/own_gpu.h). The error lists the names.
Result<const GpuSpec*> find_gpu(std::string_view name);
const GpuSpec& default_gpu();  // H200: the GPU on which the hardware tables were measured

}  // namespace warplens
