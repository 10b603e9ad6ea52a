// The parts of preparing a launch that a plan of streams needs for each of its launches. Internal to the
// catalogue.
#pragma once

#include <string>
#include <vector>

#include "instrumentation/catalog/expressions.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::instrumentation {

/// `grid`, `block`: one to three expressions each, x first.
Result<LaunchGeometry> evaluate_geometry(const std::vector<std::string>& grid,
                                         const std::vector<std::string>& block,
                                         const std::string& dynamic_shared_bytes, Expressions& expressions);

/// `texts`: names of buffers or parameters, or expressions.
Result<std::vector<PreparedArgument>> bind_arguments(const std::vector<std::string>& texts,
                                                     const KernelFile& kernel, Expressions& expressions);

}  // namespace warplens::instrumentation
