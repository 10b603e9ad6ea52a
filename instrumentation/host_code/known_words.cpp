#include "instrumentation/host_code/known_words.h"

#include <cfloat>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/gpu_spec.h"

namespace warplens::instrumentation::host_code {

namespace {

/// What the runtime's functions say of the GPU: a member of cudaDeviceProp, and an attribute behind
/// "cudaDevAttr"; empty: there is none. The numbers are those of the default GPU.
struct DeviceLimit {
    std::string_view property, attribute;
    std::int64_t number;
};

const std::vector<DeviceLimit>& limits_of_device() {
    const GpuSpec& gpu = default_gpu();
    static const std::vector<DeviceLimit> limits{
        {"multiProcessorCount", "MultiProcessorCount", gpu.sm_count},
        {"maxThreadsPerBlock", "MaxThreadsPerBlock", gpu.max_threads_per_block},
        {"maxBlockDimX", "MaxBlockDimX", 1024},
        {"maxBlockDimY", "MaxBlockDimY", 1024},
        {"maxBlockDimZ", "MaxBlockDimZ", 64},
        {"maxGridDimX", "MaxGridDimX", 2147483647},
        {"maxGridDimY", "MaxGridDimY", 65535},
        {"maxGridDimZ", "MaxGridDimZ", 65535},
        {"warpSize", "WarpSize", 32},
        {"maxThreadsPerMultiProcessor", "MaxThreadsPerMultiProcessor", 32 * gpu.max_warps_per_sm},
        {"maxBlocksPerMultiProcessor", "MaxBlocksPerMultiprocessor", gpu.max_blocks_per_sm},
        {"major", "ComputeCapabilityMajor", gpu.major},
        {"minor", "ComputeCapabilityMinor", gpu.minor},
        {"regsPerBlock", "MaxRegistersPerBlock", gpu.registers_per_sm},
        {"regsPerMultiprocessor", "MaxRegistersPerMultiprocessor", gpu.registers_per_sm},
        {"sharedMemPerBlock", "MaxSharedMemoryPerBlock", 49152},
        {"sharedMemPerBlockOptin", "MaxSharedMemoryPerBlockOptin", gpu.max_shared_bytes_per_block},
        {"sharedMemPerMultiprocessor", "MaxSharedMemoryPerMultiprocessor", gpu.shared_bytes_per_sm},
        {"reservedSharedMemPerBlock", "ReservedSharedMemoryPerBlock", gpu.reserved_shared_bytes_per_block},
        {"clockRate", "ClockRate", static_cast<std::int64_t>(gpu.boost_clock_hz / 1000)},
        {"l2CacheSize", "L2CacheSize", static_cast<std::int64_t>(gpu.l2_bytes)},
        {"totalConstMem", "TotalConstantMemory", 65536},
        {"totalGlobalMem", "", 150'109'880'320},
        {"memoryClockRate", "MemoryClockRate", 3'201'000},
        {"memoryBusWidth", "GlobalMemoryBusWidth", 6016},
        {"concurrentKernels", "ConcurrentKernels", 1},
        {"managedMemory", "ManagedMemory", 1},
        {"cooperativeLaunch", "CooperativeLaunch", 1},
        {"concurrentManagedAccess", "ConcurrentManagedAccess", 1},
        {"deviceOverlap", "GpuOverlap", 1},
        {"asyncEngineCount", "AsyncEngineCount", 3},
        {"canMapHostMemory", "CanMapHostMemory", 1}};
    return limits;
}

constexpr std::pair<std::string_view, std::int64_t> known_constants[] = {{"NULL", 0},
                                                                         {"nullptr", 0},
                                                                         {"true", 1},
                                                                         {"false", 0},
                                                                         {"cudaSuccess", 0},
                                                                         {"EXIT_SUCCESS", 0},
                                                                         {"EXIT_FAILURE", 1},
                                                                         {"RAND_MAX", 2147483647},
                                                                         {"INT_MAX", 2147483647},
                                                                         {"CHAR_BIT", 8},
                                                                         {"cudaMemcpyHostToDevice", 1},
                                                                         {"cudaMemcpyDeviceToHost", 2},
                                                                         {"cudaChannelFormatKindSigned", 0},
                                                                         {"cudaChannelFormatKindUnsigned", 1},
                                                                         {"cudaChannelFormatKindFloat", 2},
                                                                         {"cudaFilterModePoint", 0},
                                                                         {"cudaFilterModeLinear", 1},
                                                                         {"cudaAddressModeWrap", 0},
                                                                         {"cudaAddressModeClamp", 1},
                                                                         {"cudaAddressModeMirror", 2},
                                                                         {"cudaAddressModeBorder", 3},
                                                                         {"cudaReadModeElementType", 0},
                                                                         {"cudaReadModeNormalizedFloat", 1}};

constexpr std::pair<std::string_view, double> known_reals[] = {{"M_PI", std::numbers::pi},
                                                               {"M_PI_2", std::numbers::pi / 2},
                                                               {"M_PI_4", std::numbers::pi / 4},
                                                               {"M_E", std::numbers::e},
                                                               {"M_LN2", std::numbers::ln2},
                                                               {"M_SQRT2", std::numbers::sqrt2},
                                                               {"M_SQRT1_2", std::numbers::sqrt2 / 2},
                                                               {"CUDART_PI", std::numbers::pi},
                                                               {"DBL_EPSILON", DBL_EPSILON},
                                                               {"DBL_MAX", DBL_MAX},
                                                               {"DBL_MIN", DBL_MIN},
                                                               {"HUGE_VAL", HUGE_VAL},
                                                               {"CUDART_INF", HUGE_VAL}};

constexpr std::pair<std::string_view, float> known_floats[] = {{"CUDART_PI_F", std::numbers::pi_v<float>},
                                                               {"FLT_EPSILON", FLT_EPSILON},
                                                               {"FLT_MAX", FLT_MAX},
                                                               {"FLT_MIN", FLT_MIN},
                                                               {"INFINITY", HUGE_VALF},
                                                               {"HUGE_VALF", HUGE_VALF},
                                                               {"CUDART_INF_F", HUGE_VALF}};

}  // namespace

std::optional<std::int64_t> device_property(std::string_view name) {
    for (const DeviceLimit& limit : limits_of_device())
        if (limit.property == name) return limit.number;
    return std::nullopt;
}

std::vector<std::pair<std::string_view, std::int64_t>> device_limits() {
    std::vector<std::pair<std::string_view, std::int64_t>> limits;
    for (const DeviceLimit& limit : limits_of_device()) limits.emplace_back(limit.property, limit.number);
    return limits;
}

std::optional<Value> known_word(std::string_view name) {
    for (const auto& [word, number] : known_constants)
        if (word == name) return Value::of(number);
    constexpr std::string_view attribute = "cudaDevAttr";
    if (name.starts_with(attribute))
        for (const DeviceLimit& limit : limits_of_device())
            if (!limit.attribute.empty() && limit.attribute == name.substr(attribute.size()))
                return Value::of(limit.number);
    Value real;
    for (const auto& [word, number] : known_reals)
        if (word == name) real = Value::of_real(number), real.type = "double";
    for (const auto& [word, number] : known_floats)
        if (word == name) real = Value::of_real(number), real.type = "float";
    return real.known() ? std::optional(real) : std::nullopt;
}

}  // namespace warplens::instrumentation::host_code
