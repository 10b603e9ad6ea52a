// Which loads of a kernel read memory that the kernel is expected not to write.
#pragma once

#include <vector>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// By site: loads from global memory that PTX calls read-only (`ld.global.nc`), and weak ones through
/// pointers that come from other parameters than those of every store and atomic. A guess where two
/// parameters point to the same buffer: what follows from such a load must be checked.
std::vector<bool> read_only_loads(const Draft& draft);

}  // namespace warplens::instrumentation
