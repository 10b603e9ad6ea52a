// The module's variables that machine code reaches through the addresses in constant bank 4.
#pragma once

#include <string>
#include <vector>

#include "sass/cubin.h"
#include "sass/instruction.h"
#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

std::vector<std::byte> bytes_of(const std::string& text);

/// Fills the kernel's bank 4 and its variables: those whose addresses the instructions read, and those that
/// these hold addresses of. Headers define hundreds that nobody uses.
void add_variables(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                   DecodedKernel& kernel);

}  // namespace warplens::simt
