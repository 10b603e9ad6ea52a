// FitLengths: buffers whose length nobody says, made as long as the kernel's own accesses need. A few blocks
// are executed to find that out. What other blocks access past it is a note of the run, and no problem.
#pragma once

#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// Fills `launch.fitted` and the buffers of `launch.prepared`. It leaves both as they are where no length is
/// guessed, where no access goes past one, where blocks cannot be run, and where the buffers would take more
/// than `memory_limit` bytes.
void fit_lengths(LoadedLaunch& launch, std::uint64_t memory_limit);

/// What the launch's buffers are filled as: `fitted`, where it is set.
inline const instrumentation::KernelFile& fitted_kernel(const LoadedLaunch& launch) {
    return launch.fitted ? *launch.fitted : *launch.kernel;
}

}  // namespace warplens::app
