// Lets --grid, --block, --dynamic-shared, --kernel and --arg speak for a file, on top of its header or in
// place of one.
#pragma once

#include "app/command_line/options.h"
#include "app/pipeline/find_entries.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// Whether a flag describes the launch.
bool has_launch_flags(const LaunchFlags& flags);

/// Whether the arguments of --arg say which of a file's kernels is meant, since nothing names it.
bool arguments_choose_kernel(const LaunchFlags& flags);

/// Puts the flags into the kernel's declaration. It may still lack grid or block; the window asks for them.
/// `entries` is asked only where arguments_choose_kernel and the file has no header.
Status apply_partial_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                                  const FindEntries& entries);

/// The same for a caller that cannot ask. What a file without a header and the flags leave open is read from
/// the launch in its host code; `guesses` gets one sentence per line about that. Without such a launch it
/// needs
/// --grid, --block and an --arg for every kernel argument; the error names the file's kernels, or the
/// kernel's arguments and flags that fit.
Status apply_launch_flags(const LaunchFlags& flags, instrumentation::KernelFile& kernel,
                          const FindEntries& entries, std::vector<std::string>* guesses = nullptr);

}  // namespace warplens::app
