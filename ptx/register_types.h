// The type of each register's value. PTX often declares registers as .b32 or .b64; what they hold follows
// from the instructions that write and read them.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warplens::ptx {

/// By register index: the declared type if it says more than a size; else the one in which instructions use
/// it, through moves and shuffles. Stays .b32 or .b64 if they disagree, and for addresses.
std::vector<Type> register_types(const Function& function);

/// The type in which the instruction itself uses an operand; Type::none if the operand has no type of its
/// own.
Type operand_type(const Instruction& instruction, std::size_t operand);

}  // namespace warplens::ptx
