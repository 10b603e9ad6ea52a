// Lanes that leave a loop by several ways which join only where the kernel ends: "if (found) { …; return; }"
// within it. In the kernel itself every way ends on its own, so that the assembler has the lanes of one way
// wait for each other behind the loop. The recording stands at the one end and joins the ways: there lanes
// would meet at the earliest, and each group that leaves the loop in one pass would execute the rest of its
// way alone. So the lanes meet at once behind the loop, and part from there.
#pragma once

#include <vector>

#include "instrumentation/rewrite/draft.h"
#include "instrumentation/rewrite/whole_warps.h"

namespace warplens::instrumentation {

/// Sets Draft::meetings. `logged`: find_logged(), or none.
void find_meetings(Draft& draft, const WholeWarps& found, const std::vector<bool>& logged);

/// Whether lanes that leave the loop which the block is in meet behind it.
bool meet_behind(const Draft& draft, BasicBlockId block);

/// Has the lanes meet. Behind everything that is put where blocks end.
void meet_behind_loops(Draft& draft);

}  // namespace warplens::instrumentation
