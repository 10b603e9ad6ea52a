// Why the CPU engine does not execute an instruction: the end of a sentence for a person.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warplens::simt {

/// "PTX has no such instruction that this program knows", "it works on the memory of several GPUs at once".
std::string why_refused(const ptx::Instruction& instruction);

}  // namespace warplens::simt
