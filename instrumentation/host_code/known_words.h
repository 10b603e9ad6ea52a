// Words whose text is not read: numbers of <math.h>, <float.h> and CUDA's headers, and what the GPU says of
// itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "instrumentation/host_code/value.h"

namespace warplens::instrumentation::host_code {

/// A member of cudaDeviceProp: "multiProcessorCount".
std::optional<std::int64_t> device_property(std::string_view name);

/// A constant of a header: "M_PI", "FLT_MAX", "cudaSuccess", "cudaDevAttrWarpSize".
std::optional<Value> known_word(std::string_view name);

}  // namespace warplens::instrumentation::host_code
