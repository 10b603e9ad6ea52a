// f16 and bf16 values: to float and back.
#pragma once

#include "simt/functional/float_format.h"

namespace warplens::simt {

inline constexpr u16 canonical_nan_half = 0x7fff;  // of f16 and of bf16

constexpr u16 half_from_double(double x, Rounding rounding = Rounding::nearest_even) {
    return static_cast<u16>(round_to(format_f16, x, rounding, canonical_nan_half));
}
constexpr u16 bfloat_from_double(double x, Rounding rounding = Rounding::nearest_even) {
    return static_cast<u16>(round_to(format_bf16, x, rounding, canonical_nan_half));
}
constexpr float bfloat_to_float(u16 bits) { return std::bit_cast<float>(u32{bits} << 16); }
constexpr float half_to_float(u16 bits) {
    u32 sign = static_cast<u32>(bits & 0x8000) << 16;
    u32 magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u)  // infinity or NaN
        return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
    float small = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<u32>(small));
}

}  // namespace warplens::simt
