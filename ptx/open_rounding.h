// Finds what PTX leaves to the assembler and the GPU of a result on real numbers (PTX ISA, Floating-Point
// Instructions): a product and a sum without rounding modifiers may become one fused instruction, which
// rounds once, and approximations have a bound for their error only.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warplens::ptx {

/// Statements of the function, as indices of its body: sums that may be merged with a product, and
/// approximations.
std::vector<std::size_t> open_roundings(const Function& function);

}  // namespace warplens::ptx
