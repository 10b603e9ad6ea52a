// Adds the operations that bring what stands outside the registers into them: parameters and launch constants
// from the constant bank, %tid and its like, the base of shared memory. One operation a value and function,
// ahead of the first reader and of the loops around it.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

void materialize_constants(Code& code);

}  // namespace warplens::simt::lowering
