// Same results: whether two launches of one kernel left the same in its buffers. Real numbers may differ as
// sums do that are added in another order; integers may not.
#pragma once

#include "instrumentation/catalog/kernel.h"
#include "simt/functional/memory/memory.h"

namespace warplens::app {

bool same_results(const instrumentation::KernelFile& kernel, const simt::GlobalMemory& a,
                  const simt::GlobalMemory& b);

}  // namespace warplens::app
