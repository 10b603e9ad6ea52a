// Adds the operations that load values into registers: parameters and launch constants from the constant
// bank, %tid and the like, the base of shared memory. One operation per value and function, before the first
// reader and the loops around it.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

void materialize_constants(Code& code);

}  // namespace warplens::simt::lowering
