// Same results: whether two launches of a kernel left the same contents in its buffers. Real numbers may
// differ as sums in another order do; integers may not.
#pragma once

#include "instrumentation/catalog/kernel.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

bool same_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                  const simt::GlobalMemory& b);

}  // namespace warplens::app
