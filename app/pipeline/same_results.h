// Same results: whether two launches of a kernel left the same contents in its buffers and in the program's
// variables in device memory. Real numbers of buffers may differ as sums in another order do; nothing else
// may.
#pragma once

#include <optional>
#include <string>

#include "core/printed.h"
#include "instrumentation/catalog/kernel.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

struct ResultMatch {
    std::string different;  // the first buffer or variable whose contents differ; empty: none
    bool rounded = false;   // real numbers differ, by what may be rounding
    bool reordered =
        false;  // real numbers differ by more than few roundings, as long sums in another order do
};
ResultMatch match_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                          const simt::GlobalMemory& b);

/// Whether two launches printed the same texts, in any order: other blocks and threads may print them.
bool same_texts(const std::optional<PrintedCalls>& a, const std::optional<PrintedCalls>& b);

}  // namespace warplens::app
