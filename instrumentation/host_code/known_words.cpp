#include "instrumentation/host_code/known_words.h"

#include <cfloat>
#include <cmath>
#include <numbers>
#include <utility>

namespace warplens::instrumentation::host_code {

namespace {

/// Of an H200, the default GPU, as cudaGetDeviceProperties gives them.
constexpr std::pair<std::string_view, std::int64_t> device_properties[] = {
    {"multiProcessorCount", 132},
    {"maxThreadsPerBlock", 1024},
    {"warpSize", 32},
    {"maxThreadsPerMultiProcessor", 2048},
    {"major", 9},
    {"minor", 0},
    {"sharedMemPerBlock", 49152},
    {"sharedMemPerMultiprocessor", 233472},
    {"concurrentKernels", 1},
    {"managedMemory", 1},
    {"cooperativeLaunch", 1},
    {"concurrentManagedAccess", 1},
    {"deviceOverlap", 1},
    {"asyncEngineCount", 3},
    {"canMapHostMemory", 1},
    {"maxThreadsPerBlockOptin", 1024},
    {"sharedMemPerBlockOptin", 232448}};

/// The same, as cudaDeviceGetAttribute gives them.
constexpr std::pair<std::string_view, std::int64_t> device_attributes[] = {
    {"cudaDevAttrMultiProcessorCount", 132},
    {"cudaDevAttrMaxThreadsPerBlock", 1024},
    {"cudaDevAttrMaxBlockDimX", 1024},
    {"cudaDevAttrWarpSize", 32},
    {"cudaDevAttrMaxThreadsPerMultiProcessor", 2048},
    {"cudaDevAttrMaxBlocksPerMultiprocessor", 32},
    {"cudaDevAttrComputeCapabilityMajor", 9},
    {"cudaDevAttrComputeCapabilityMinor", 0},
    {"cudaDevAttrMaxSharedMemoryPerBlock", 49152},
    {"cudaDevAttrMaxSharedMemoryPerBlockOptin", 232448},
    {"cudaDevAttrMaxSharedMemoryPerMultiprocessor", 233472},
    {"cudaDevAttrCooperativeLaunch", 1},
    {"cudaDevAttrConcurrentManagedAccess", 1}};

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
    for (const auto& [word, number] : device_properties)
        if (word == name) return number;
    return std::nullopt;
}

std::optional<Value> known_word(std::string_view name) {
    for (const auto& [word, number] : known_constants)
        if (word == name) return Value::of(number);
    for (const auto& [word, number] : device_attributes)
        if (word == name) return Value::of(number);
    Value real;
    for (const auto& [word, number] : known_reals)
        if (word == name) real = Value::of_real(number), real.type = "double";
    for (const auto& [word, number] : known_floats)
        if (word == name) real = Value::of_real(number), real.type = "float";
    return real.known() ? std::optional(real) : std::nullopt;
}

}  // namespace warplens::instrumentation::host_code
