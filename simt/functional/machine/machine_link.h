// What the linker would write into machine code that is not linked: addresses of functions and variables.
#pragma once

#include <vector>

#include "core/result.h"
#include "sass/cubin.h"
#include "sass/instruction.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/machine/machine_rows.h"

namespace warplens::simt {

/// The kernels of the file, by the addresses that its code gets for them.
std::vector<LaunchableKernel> launchable_kernels(const sass::Cubin& cubin);

/// The operands of the function's instructions become what the linker would make of them; variables'
/// addresses are read from constant bank 4. The error names the place that no linked code could have without
/// another file.
Status link_code(const sass::Cubin& cubin, const sass::CubinFunction& function, MachineRows& rows,
                 std::vector<sass::Instruction>& instructions, DecodedKernel& kernel);

}  // namespace warplens::simt
