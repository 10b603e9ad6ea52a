// What the CPU engine does not execute, named as a person looks for it, and why.
#pragma once

#include <string>

#include "ptx/module.h"

namespace warplens::simt {

/// As written; a call says whom it calls, a mov which special register it reads and a texture read that
/// it names a sampler, since only some of them are out of reach.
std::string refused_form(const ptx::Instruction& instruction);

/// The end of a sentence for a person: "PTX has no such instruction that this program knows", "it works on
/// the memory of several GPUs at once".
std::string why_refused(const ptx::Instruction& instruction);

}  // namespace warplens::simt
