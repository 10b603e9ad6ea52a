// Printer: Instruction -> the text that NVIDIA's disassembler prints for it, without the semicolon. A branch
// target is printed as its byte offset in the function. An unknown instruction is printed as its bits.
#pragma once

#include <string>

#include "sass/instruction.h"

namespace warplens::sass {

/// "@!P0 LDG.E.64 R4, desc[UR6][R2.64+0x10]". `sm` decides how the zero registers are called.
std::string print(const Instruction& instruction, int sm);

/// Opcode with all modifiers, "LDG.E.64"; "???" for an unknown instruction.
std::string print_opcode(const Instruction& instruction);

}  // namespace warplens::sass
