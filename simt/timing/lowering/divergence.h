// Which values differ from lane to lane, as the assembler can tell: what stems from %tid, from memory or from
// another lane, and what is filled where only some lanes are on.
#pragma once

#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// One flag a value of Code::values.
std::vector<bool> find_divergent_values(const Code& code);

/// Whether the block ends in a branch that some lanes may take and others not.
bool branches_apart(const CodeBlock& block, const std::vector<bool>& divergent);

}  // namespace warplens::simt::lowering
