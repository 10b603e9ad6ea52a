// How the disassembler writes numbers: floating-point immediates with 20 significant digits, hexadecimal
// integers with their sign in front.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::sass {

std::string hexadecimal(std::int64_t value);        // -0x10
std::string float32_text(std::uint32_t bits);       // 0.15915493667125701904
std::string float64_text(std::uint32_t high_bits);  // of the number whose low 32 bits are zero
std::string half2_text(std::uint32_t bits);         // "0.5, 1": the upper half first
std::string bfloat2_text(std::uint32_t bits);

/// "SR_TID.X"; "SR77" for one without a name.
std::string special_register_text(std::uint16_t index);

}  // namespace warplens::sass
