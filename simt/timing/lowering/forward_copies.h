// Removes instructions that cost no machine operation — moves, address-space conversions, conversions that
// keep the bits, negations that the reader applies for free — and makes the readers use their sources.
#pragma once

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// Whether `operation` only copies its source. Moves into a register with several definitions are kept: they
/// join paths or carry loop values.
bool is_free_copy(const Code& code, const Operation& operation);

/// Recounts uses at its end.
void forward_copies(Code& code);

}  // namespace warplens::simt::lowering
