// Folds pairs of PTX instructions that one machine operation can do: multiply and add, shift and add, three
// addends, three logic operands, comparisons combined with a predicate, and sums with a literal into the
// offset of the access that reads them.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Recounts uses at its end. remove_dead_operations() removes operations that are no longer read.
void fold_operations(Code& code);

}  // namespace warplens::simt::lowering
