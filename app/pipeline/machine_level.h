// A launch at the machine level: the same buffers and arguments, executed from the cubin that the PTX was
// assembled to.
#pragma once

#include <memory>
#include <string>

#include "app/pipeline/kernel_code.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// `launch` was loaded from `code` at the PTX level. The error is a clause: why there is no machine
/// level.
Status use_machine_code(LoadedLaunch& launch, const KernelCode& code);

/// Another kernel of the same machine code.
Result<std::shared_ptr<const simt::Kernel>> machine_kernel(const KernelCode& code, const std::string& entry);

}  // namespace warplens::app
