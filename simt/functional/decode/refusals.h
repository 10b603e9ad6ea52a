// Names of the instruction forms that the CPU engine does not execute, and the reasons.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warplens::simt {

/// As written; a call also names its callee, a mov its special register and a texture read its sampler, since
/// only some of these are unsupported.
std::string refused_form(const ptx::Instruction& instruction);

/// A clause for a message: "this form of the instruction is not executed", "it accesses the memory of several
/// GPUs".
std::string why_refused(const ptx::Instruction& instruction);

}  // namespace warplens::simt
