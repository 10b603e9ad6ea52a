// Functions that CUDA provides, as machine code calls them: by an address in constant bank 4 that the loader
// fills in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sass/cubin.h"
#include "sass/instruction.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/machine/machine_rows.h"

namespace warplens::simt {

/// Gives those whose addresses the instructions read their addresses, and says where arguments and results
/// are: the ABI, as ptxas 13.0 makes calls for sm_75 to sm_120. Arguments begin at R4, those of 8 bytes in
/// pairs of registers, and the result comes back there; R20 and R21 have the return address. Returns the
/// names of others, which are in no module that the engine knows, apart by commas.
std::string provide_functions(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                              MachineRows& rows, DecodedKernel& kernel);

/// The same for one function: its address, which a call names. Nothing: it is not known.
std::optional<u64> provide_function(std::string_view name, MachineRows& rows, DecodedKernel& kernel);

/// Registers that the ABI of those calls names, from R0 on.
inline constexpr u32 registers_of_calls = 22;

}  // namespace warplens::simt
