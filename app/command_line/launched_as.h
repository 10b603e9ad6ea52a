// LaunchedAs: a .cubin does not say how it is launched; compared with a kernel, it gets that kernel's launch.
#pragma once

#include "app/pipeline/find_entries.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// The machine code of one file with the parameters, buffers, arguments, grid and golden check of another,
/// `launch`; null: the file as it is. Its kernel is the one of the other's name, or its only one. The error
/// is that its kernels cannot be read.
Result<instrumentation::KernelFile> launched_as(instrumentation::KernelFile code,
                                                const instrumentation::KernelFile* launch,
                                                const FindEntries& entries);

}  // namespace warplens::app
