// Decoder: 16 bytes of machine code and a target -> Instruction. An encoding that the table does not have, or
// a modifier value that no assembler emits, gives an Instruction without a row: nothing is guessed.
#pragma once

#include <string_view>
#include <vector>

#include "sass/instruction.h"

namespace warplens::sass {

/// `sm` is the compute capability times ten: 90 for sm_90. `offset` is the instruction's, in bytes from the
/// function's start; branch targets are relative to it.
Instruction decode(const Encoding& encoding, std::uint64_t offset, int sm);

/// All instructions of a function's code; a remainder shorter than an instruction is left out.
std::vector<Instruction> decode(std::string_view code, int sm);

/// Targets whose encoding the table describes: sm_70 to sm_121.
bool is_known_target(int sm);

/// The index of URZ on that target.
std::uint16_t uniform_zero(int sm);

}  // namespace warplens::sass
