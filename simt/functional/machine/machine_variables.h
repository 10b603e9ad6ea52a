// The module's variables that machine code reaches through the addresses in constant bank 4.
#pragma once

#include <string>
#include <vector>

#include "sass/cubin.h"
#include "sass/instruction.h"
#include "simt/functional/decode/decoded_kernel.h"

namespace warplens::simt {

inline constexpr u32 address_bank = 4;

std::vector<std::byte> bytes_of(const std::string& text);

/// Whether an instruction reads one of the 8 bytes from `offset` of the bank on, or may read any.
bool reads_address(const std::vector<sass::Instruction>& instructions, u32 bank, u64 offset);

/// Fills the kernel's bank 4 and its variables: those whose addresses the instructions read, and those that
/// these hold addresses of. Headers define hundreds that nobody uses.
void add_variables(const sass::Cubin& cubin, const std::vector<sass::Instruction>& instructions,
                   DecodedKernel& kernel);

}  // namespace warplens::simt
