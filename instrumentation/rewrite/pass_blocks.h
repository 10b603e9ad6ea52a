// Decides which records of whole warps are left out in loops, because the next record shows that the warp
// came that way: blocks on the only way between two records, and loops of which only the number of passes is
// recorded. A loop whose branches are all replayed leaves none. Blocks after loops keep their records, and so
// do those after barriers in other loops, and with them their clocks.
#pragma once

#include "instrumentation/rewrite/block_graph.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "instrumentation/rewrite/whole_warps.h"

namespace warplens::instrumentation {

/// Changes the plan's blocks: some that are `recorded` become `passed`, and their guards, routes and carriers
/// follow from that. With logs, branches that no record shows are logged.
void pass_blocks(const BlockGraph& graph, const WholeWarps& whole, RecordingPlan& plan);

}  // namespace warplens::instrumentation
