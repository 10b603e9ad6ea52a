// Joins shared loads of one block from neighbouring places into one load of 8 or 16 bytes, where the code
// proves the alignment, as the assembler does.
#pragma once

#include "core/program.h"
#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// The largest power of two, up to 16, that divides `value` whatever the thread. `variables` say where shared
/// arrays stand.
std::uint32_t alignment_of(Code& code, Value value, const std::vector<Variable>& variables);

/// Counts uses anew at its end.
void merge_shared_loads(Code& code, const std::vector<Variable>& variables);

}  // namespace warplens::simt::lowering
