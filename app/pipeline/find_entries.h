// FindEntries: lists the kernels of a file, by compiling it. Pipeline::entries is the real one; the window's
// form for a launch and the command line's hints use it.
#pragma once

#include <functional>
#include <vector>

#include "core/result.h"
#include "instrumentation/catalog/entry_facts.h"
#include "instrumentation/catalog/kernel.h"

namespace warplens::app {

/// Errors are the compiler's, with the file's own line.
using Entries = Result<std::vector<instrumentation::EntryFacts>>;
using FindEntries = std::function<Entries(const instrumentation::KernelFile& kernel)>;

}  // namespace warplens::app
