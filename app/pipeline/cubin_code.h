// A .cubin as kernel code: machine code without the PTX that it was assembled from. It is executed at the
// machine level alone; there is no PTX level to fall back on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/kernel_code.h"
#include "core/gpu_spec.h"

namespace warplens::app {

/// The entry that `file` names, or the only one. `file` is a .cubin.
Result<std::shared_ptr<const KernelCode>> read_cubin_code(const instrumentation::KernelFile& file);

/// Every kernel of the file, in its order; parameters as sass::parameters_of has them.
Result<std::vector<instrumentation::EntryFacts>> cubin_entries(const instrumentation::KernelFile& file);

/// A GPU that executes the file's code: the default one if it can, else the first of the table.
Result<const GpuSpec*> gpu_of_cubin(const instrumentation::KernelFile& file);

}  // namespace warplens::app
