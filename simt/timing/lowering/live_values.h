// Which values a function keeps from block to block, and so how many registers a block has for its own.
#pragma once

#include <vector>

#include "simt/timing/lowering/code.h"

namespace warplens::simt::lowering {

/// 32-bit registers that a value takes: none for predicates, nor for what stands in uniform
/// registers or is read again from the constant bank.
int registers_of(const Code& code, Value value);

/// For each of Code::blocks the registers of values that come into it or leave it without being filled in it.
std::vector<int> registers_kept_through(const Code& code);

}  // namespace warplens::simt::lowering
