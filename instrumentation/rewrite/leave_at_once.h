// Warps that leave the kernel at a bounds check: "if (i >= n) return". In the kernel itself that is an exit
// under a predicate, behind which the assembler knows that the lanes that stay are together. A recorded warp
// has to write its head first, so that it branches there, and behind such a branch the assembler takes lanes
// for apart: it puts a branch before each shuffle and moves no load over it. Where no warp was seen to part
// at the check, the branch is taken by a whole warp alone, and lanes that would leave without the others
// exit.
//
// Where one was, as the last of a launch whose threads are not a multiple of 32, lanes may leave without the
// others if the host knows who does: the branch follows from the launch alone (BlockPlan::lanes_leave).
// Behind it those who stay are the warp. So it is where they exchange values or come to a barrier, or leave
// no record.
#pragma once

#include "instrumentation/rewrite/draft.h"
#include "instrumentation/rewrite/whole_warps.h"

namespace warplens::instrumentation {

/// Sets BlockPlan::checks_bounds, and where the options allow it BlockPlan::leaves_at_once and lanes_leave,
/// and WholeWarps::united.
void find_left_at_once(Draft& draft, WholeWarps& found);

/// Draft::may_wait_at_exit: nobody who waits there would be missed at a barrier or an exchange, or at a vote
/// of the recording's own. Whoever leaves at once waits for nobody. Once it is known which ballots are left.
bool may_wait_at_exit(const Draft& draft, const WholeWarps& found);

/// BlockPlan::leaves_at_once: makes the branch one of whole warps. Behind everything that is put there.
void leave_at_once(Draft& draft);

}  // namespace warplens::instrumentation
