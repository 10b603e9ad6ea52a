// Turns branches into predicates where the assembler does: the short body of an `if` is issued by every warp,
// with the lanes that do not want it off, and the branch is gone; of a selection between two results one is
// computed over the other under a predicate. Where branches stay and lanes may part, adds the pair of
// operations that marks where they meet again.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// selp of two results that nobody else reads: the second is computed under the predicate, over the first.
void predicate_selections(Code& code);

/// Sets CodeBlock::predicates_next where a branch is gone.
void predicate_branches(Code& code, const std::vector<bool>& divergent);

/// BSSY ahead of branches that may part lanes, BSYNC where all their paths meet.
void mark_reconvergence(Code& code, const std::vector<bool>& divergent);

}  // namespace warplens::simt::lowering
