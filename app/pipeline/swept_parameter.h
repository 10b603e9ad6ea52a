// SweptParameter: which of a kernel's parameters a first sweep goes over: the one that its lesson is about.
#pragma once

#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// Of the parameters with at least two values to sweep, the one that the lesson's sentence names first
/// ("warps" where it says "one warp", PAD where it says "padding", "block_x" where it says "block" and "x"),
/// rather one that the grid does not depend on. If it names none, one that changes neither the grid nor the
/// block, then one of the block, last one of the grid; without any lesson rather one with more than two
/// values than a switch, and last one that sets the problem. Of equals the one with the smallest range. Null:
/// no parameter can be swept.
const instrumentation::ParameterDeclaration* swept_parameter(const instrumentation::KernelFile& kernel);

}  // namespace warplens::app
