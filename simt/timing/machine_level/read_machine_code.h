// A MachineProgram from machine code: one operation per instruction, in order, with the control fields that
// the assembler set. Only with WARPLENS_SASS; where there is no machine code, lower() estimates it.
#pragma once

#include "core/sm_timing.h"
#include "sass/program.h"
#include "simt/timing/machine_code.h"

namespace warplens::simt {

/// For a Trace whose program is `code.program`. Pure.
MachineProgram read_machine_code(const sass::MachineProgram& code, const SmTiming& timing);

}  // namespace warplens::simt
