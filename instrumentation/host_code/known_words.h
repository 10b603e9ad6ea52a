// Words whose text is not read: numbers of <math.h>, <float.h> and CUDA's headers, and what the GPU says of
// itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

/// A member of cudaDeviceProp: "multiProcessorCount".
std::optional<std::int64_t> device_property(std::string_view name);

/// All of them, with those that only attributes give: "maxBlockDimX".
std::vector<std::pair<std::string_view, std::int64_t>> device_limits();

/// A constant of a header: "M_PI", "FLT_MAX", "cudaSuccess", "cudaDevAttrWarpSize".
std::optional<Value> known_word(std::string_view name);

}  // namespace warplens::instrumentation::host_code
