// Every combination of a kernel's compile-time parameters, and the request its shipped PTX is made with.
#pragma once

#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/kernel.h"
#include "instrumentation/compile/compiler.h"
#include "instrumentation/compile/shipped_ptx.h"

namespace warplens::instrumentation {

/// One empty set for a kernel without macros. Errors when a macro has neither values nor a range, or when
/// there are more than 256 combinations, too many to ship.
Result<std::vector<Macros>> macro_combinations(const KernelFile& kernel);

/// As the program itself compiles a catalogue kernel: named "kernels/NAME.cu", for sm_90.
CompileRequest shipped_request(const KernelFile& kernel, const Macros& macros);

}  // namespace warplens::instrumentation
