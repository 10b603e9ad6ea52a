// The bytes of a launch's kernel arguments, laid out as the compiled kernel's parameters say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// `buffer_addresses`: one a PreparedLaunch::buffers; `image_handles`: one a PreparedLaunch::images. Errors
/// say where number, kind or size of the arguments and the kernel's parameters differ, and when a value does
/// not fit.
Result<std::vector<std::byte>> lay_out_arguments(const PreparedLaunch& launch,
                                                 const std::vector<Parameter>& parameters,
                                                 const std::vector<std::uint64_t>& buffer_addresses,
                                                 const std::vector<std::uint64_t>& image_handles = {});

}  // namespace warplens::instrumentation
