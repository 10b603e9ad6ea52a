// Where a warp finds its place in the recording space, before anything of it is recorded.
#pragma once

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// The last block outside loops that precedes all blocks that need that place: those with records, values in
/// columns, logs that are stored and exits. Once the plan of all blocks is made.
BasicBlockId find_start(const Draft& draft);

}  // namespace warplens::instrumentation
