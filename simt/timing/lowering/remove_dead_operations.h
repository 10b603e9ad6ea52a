// Removes operations without readers, and finds the 64-bit results of which only the lower half is read (a
// shared address, a truncated sum): those cost one operation instead of two.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Sets Operation::low_half_only; recounts uses at its end.
void remove_dead_operations(Code& code);

}  // namespace warplens::simt::lowering
