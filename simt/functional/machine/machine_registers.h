// How many registers a kernel's machine code needs rows for.
#pragma once

#include "sass/program.h"
#include "simt/functional/machine/machine_rows.h"

namespace warplens::simt {

/// Whether it calls functions by address, which need the registers of the ABI.
bool calls_addresses(const sass::MachineProgram& machine);

/// Uniform registers that the code names, and what a vector may reach after the last one. A constant's index
/// may be general or uniform: both are counted.
u32 uniform_registers_named(const sass::MachineProgram& machine);

/// The same of all registers. `allocated`: those of a thread, as the file says; 0: it does not.
NamedRegisters registers_named(const sass::MachineProgram& machine, u32 allocated);

}  // namespace warplens::simt
