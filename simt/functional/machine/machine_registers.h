// How many registers a kernel's machine code needs rows for.
#pragma once

#include "sass/program.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// Whether it calls functions by address, which need the registers of the ABI.
bool calls_addresses(const sass::MachineProgram& machine);

/// Registers that the code names, and what a vector may reach after the last one.
u32 registers_named(const sass::MachineProgram& machine);

/// The same of the uniform registers. A constant's index may be either kind: both are counted.
u32 uniform_registers_named(const sass::MachineProgram& machine);

}  // namespace warplens::simt
