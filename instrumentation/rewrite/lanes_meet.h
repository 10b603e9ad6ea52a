// Blocks in which all lanes of a warp wait for each other before anything but arithmetic: a shuffle, a vote
// or bar.warp.sync of all 32. Whoever visits such a block does so with all lanes that have not left, so that
// nothing has to be checked or hashed there.
#pragma once

#include <vector>

#include "instrumentation/rewrite/draft.h"

namespace warplens::instrumentation {

/// By BasicBlockId; of the entry alone.
std::vector<bool> blocks_where_lanes_meet(const Draft& draft);

}  // namespace warplens::instrumentation
