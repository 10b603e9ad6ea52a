// Which values may differ between lanes, as the assembler can determine it: those derived from %tid, memory
// or another lane, and those written where only some lanes are active.
#pragma once

#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// One flag per value of Code::values.
std::vector<bool> find_divergent_values(const Code& code);

/// Whether the block ends in a branch that some lanes may take and others not.
bool branches_apart(const CodeBlock& block, const std::vector<bool>& divergent);

}  // namespace warplens::simt::lowering
