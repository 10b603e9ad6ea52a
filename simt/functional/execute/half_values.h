// f16 and bf16 values: to float and back. half_to_float is in core/half.h.
#pragma once

#include "core/half.h"
#include "simt/functional/execute/float_format.h"

namespace warplens::simt {

inline constexpr u16 canonical_nan_half = 0x7fff;  // of f16 and of bf16

constexpr u16 half_from_double(double x, Rounding rounding = Rounding::nearest_even) {
    return static_cast<u16>(round_to(format_f16, x, rounding, canonical_nan_half));
}
constexpr u16 bfloat_from_double(double x, Rounding rounding = Rounding::nearest_even) {
    return static_cast<u16>(round_to(format_bf16, x, rounding, canonical_nan_half));
}
constexpr float bfloat_to_float(u16 bits) { return std::bit_cast<float>(u32{bits} << 16); }

}  // namespace warplens::simt
