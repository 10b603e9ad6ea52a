// A launch at the machine level: the same buffers and arguments, executed from the cubin that the PTX was
// assembled to.
#pragma once

#include "app/pipeline/kernel_code.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// `launch` was loaded from `code` at the PTX level. The error is a clause: why there is no machine
/// level.
Status use_machine_code(LoadedLaunch& launch, const KernelCode& code);

}  // namespace warplens::app
