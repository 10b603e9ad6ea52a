// SynthesisedInstruction: a valid PTX instruction of a given form ("ld.global.v4.f32"), so that a list of
// forms measured on real kernels can be tested with the parser and the engine. It is never executed.
#pragma once

#include <string>

namespace warplens {

/// "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];" — empty for a base opcode that it has no operands for.
std::string synthesise_instruction(const std::string& form);

/// A module whose only entry, k, holds the instruction, with everything declared that it could name.
std::string module_around(const std::string& instruction);

}  // namespace warplens
