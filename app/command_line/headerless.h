// Lets --grid, --block, --dynamic-shared, --kernel and --arg speak for a file, on top of its header or in
// place of one.
#pragma once

#include "app/command_line/options.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// Puts the flags into the kernel's declaration. A file without a header needs --grid, --block and an --arg
/// for every kernel argument; the error says which is missing and shows its form.
Status apply_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel);

}  // namespace warplens::app
