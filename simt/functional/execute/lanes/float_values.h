// What PTX adds to IEEE arithmetic on f32 and f64: flushing, saturation, the canonical NaN. Integer tests on
// the bits, so that the loops vectorise.
#pragma once

#include "simt/functional/decode/decoded_op.h"

#ifndef WARPLENS_LANES
#define WARPLENS_LANES lanes_baseline
#endif

namespace warplens::simt::WARPLENS_LANES {

inline u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
inline u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
inline float float_from(u32 x) { return __builtin_bit_cast(float, x); }
inline double double_from(u64 x) { return __builtin_bit_cast(double, x); }

inline constexpr u32 canonical_nan_f32 = 0x7fffffffu;  // the NaN result of f32 arithmetic
inline constexpr u64 invalid_nan_f64 = 0xfff8000000000000ull;

/// Subnormals become zeros with their sign.
inline float flush(float x) {
    u32 b = bits_of(x);
    return float_from((b & 0x7f800000u) == 0 ? b & 0x80000000u : b);
}

/// Clamps to [+0, 1]; a NaN becomes +0.
inline float saturate(float x) {
    float low = x > 0.0f ? x : 0.0f;
    return low < 1.0f ? low : 1.0f;
}
inline double saturate(double x) {
    double low = x > 0.0 ? x : 0.0;
    return low < 1.0 ? low : 1.0;
}

template <bool Ftz>
inline float input(float x) {
    return Ftz ? flush(x) : x;
}

template <bool Ftz, bool Sat>
inline float result(float x) {
    if (Ftz) x = flush(x);
    if (Sat) return saturate(x);
    return x == x ? x : float_from(canonical_nan_f32);
}

/// f64 keeps the payload of the first NaN operand, quieted; which one the machine's instruction would keep
/// depends on the order that the compiler chooses.
inline double propagate(double r, double a, double b, double c) {
    if (r == r) return r;
    u64 bits = a != a ? bits_of(a) : b != b ? bits_of(b) : c != c ? bits_of(c) : invalid_nan_f64;
    return double_from(bits | 0x0008000000000000ull);
}

}  // namespace warplens::simt::WARPLENS_LANES
