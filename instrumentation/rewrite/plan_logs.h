// Decides which blocks leave no record because each lane logs its branches instead: those in which the lanes
// of a warp are expected to be apart. From the bits of all lanes follows where each of them went, and which
// of them were together, if lanes meet again at the lowest basic block; a hash shows if they did not.
#pragma once

#include <vector>

#include "instrumentation/rewrite/draft.h"
#include "instrumentation/rewrite/whole_warps.h"

namespace warplens::instrumentation {

/// By BasicBlockId: the blocks that can be logged; none where their records are few, because no loop leaves
/// any. `tallied`: the loops of one block that are tallied.
std::vector<bool> find_logged(const Draft& draft, const WholeWarps& whole,
                              const std::vector<BasicBlockId>& tallied);

/// Makes these blocks `logged`, and the branches that lead to them logs_branch. Likewise those of loops of
/// whole warps that would leave more records than branches.
void log_blocks(Draft& draft, const WholeWarps& whole, const std::vector<bool>& logged);

/// Once it is known which loops are counted: Draft::empties_log and log_bits.
void place_log_stores(Draft& draft);

}  // namespace warplens::instrumentation
