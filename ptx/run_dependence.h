// Finds what a kernel's execution depends on besides its arguments: registers of time and place (%clock64,
// %globaltimer, %smid, %warpid …), values that atomic operations return or leave in an order of their own,
// and results on real numbers that PTX does not fix to the last bit (ptx/open_rounding.h). From there it
// follows values through registers, memory, branches and calls: which addresses, guards, branches and basic
// blocks depend on them.
//
// The analysis ignores the order of statements, and takes memory as one object per variable, per call
// parameter and per pointer among the entry's parameters: two pointers are two objects. Memory that is
// reached in another way, such as through a pointer that was itself loaded, is one more object.
#pragma once

#include "core/run_dependence.h"
#include "ptx/module.h"
#include "ptx/program.h"

namespace warplens::ptx {

/// `numbered` is the numbering of this module.
RunDependence find_run_dependence(const Module& module, const NumberedProgram& numbered);

}  // namespace warplens::ptx
