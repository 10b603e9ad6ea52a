// Which values a function keeps across blocks, and thus how many registers remain for a block's own values.
#pragma once

#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// 32-bit registers that a value takes: none for predicates, values in uniform registers, or values that are
/// read again from the constant bank.
int registers_of(const Code& code, Value value);

/// For each of Code::blocks the registers of values that are live into or out of it and not written in it.
std::vector<int> registers_kept_through(const Code& code);

}  // namespace warplens::simt::lowering
