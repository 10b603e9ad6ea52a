// Removes operations whose results nobody reads, and finds the 64-bit results of which only the lower half is
// wanted (a shared address, a truncated sum): those cost one operation where the pair costs two.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Sets Operation::low_half_only; counts uses anew at its end.
void remove_dead_operations(Code& code);

}  // namespace warplens::simt::lowering
