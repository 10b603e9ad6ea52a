// Removes what costs no machine operation — moves, address-space conversions, conversions that leave the bits
// alone, signs that the reader takes for free — and lets the readers read their sources.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Whether `operation` only hands its source on. Moves into a register that others fill too are none: they
/// join paths or turn a loop, and are kept.
bool is_free_copy(const Code& code, const Operation& operation);

/// Counts uses anew at its end.
void forward_copies(Code& code);

}  // namespace warplens::simt::lowering
