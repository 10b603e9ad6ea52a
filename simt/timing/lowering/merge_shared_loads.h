// Merges shared loads of one block from adjacent addresses into one load of 8 or 16 bytes if the code proves
// the alignment, as the assembler does.
#pragma once

#include "core/program.h"
#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// The largest power of two, up to 16, that divides `value` in every thread. `variables` have the offsets of
/// shared arrays.
std::uint32_t alignment_of(Code& code, Value value, const std::vector<Variable>& variables);

/// Recounts uses at its end.
void merge_shared_loads(Code& code, const std::vector<Variable>& variables);

}  // namespace warplens::simt::lowering
