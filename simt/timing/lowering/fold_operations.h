// Folds pairs of PTX instructions into what one machine operation does: multiply and add, shift and add,
// three addends, three logic operands, comparisons joined with a predicate, and sums with a literal into the
// offset of the access that reads them.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Counts uses anew at its end. What nobody reads any more is left to remove_dead_operations().
void fold_operations(Code& code);

}  // namespace warplens::simt::lowering
