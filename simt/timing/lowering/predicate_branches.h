// Replaces branches by predicates where the assembler does. Every warp issues the short body of an `if`, with
// the other lanes predicated off, and the branch is removed. In a selection between two results, one is
// computed under a predicate into the register of the other. For remaining branches that may diverge, adds
// the pair of operations that marks reconvergence.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// selp of two results without other readers: the second is computed under the predicate into the first's
/// register.
void predicate_selections(Code& code);

/// Sets CodeBlock::predicates_next where a branch is removed.
void predicate_branches(Code& code, const std::vector<bool>& divergent);

/// BSSY before branches that may diverge, BSYNC where all their paths join.
void mark_reconvergence(Code& code, const std::vector<bool>& divergent);

}  // namespace warplens::simt::lowering
