// Rounding an exact value to any binary floating format, in any of PTX's rounding modes, with integer
// arithmetic only: the result does not depend on the machine's rounding mode.
#pragma once

#include <bit>

#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

enum class Rounding : u8 { nearest_even, toward_zero, down, up, nearest_away };

struct FloatFormat {
    int stored_bits;  // of the significand
    int exponent_bits;
};
inline constexpr FloatFormat format_f16{10, 5}, format_bf16{7, 8}, format_tf32{10, 8}, format_f32{23, 8},
    format_f64{52, 11};

/// f32 arithmetic of PTX gives one NaN, whatever the operands' bits.
inline float canonical(float x) { return x == x ? x : std::bit_cast<float>(0x7fffffffu); }

/// The magnitude bits of ±significand * 2^exponent in the format, with an unlimited exponent: an overflowing
/// result is greater than any magnitude of the format.
constexpr u64 round_magnitude(FloatFormat format, bool negative, u64 significand, int exponent,
                              Rounding rounding) {
    if (significand == 0) return 0;
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const int zeros = std::countl_zero(significand);
    significand <<= zeros;
    const int unbiased = exponent - zeros + 63;
    const int below = unbiased < 1 - bias ? 1 - bias - unbiased : 0;
    const int shift = 63 - format.stored_bits + below;
    u64 kept = shift < 64 ? significand >> shift : 0;
    const u64 dropped = shift < 64 ? significand & ((u64{1} << shift) - 1) : significand;
    const u64 half = shift <= 64 ? u64{1} << (shift - 1) : 0;
    bool tie = shift <= 64 && dropped == half;
    bool above = shift <= 64 && dropped > half;
    switch (rounding) {
        case Rounding::nearest_even:
            kept += above || (tie && (kept & 1));
            break;
        case Rounding::nearest_away:
            kept += above || tie;
            break;
        case Rounding::down:
            kept += negative && dropped != 0;
            break;
        case Rounding::up:
            kept += !negative && dropped != 0;
            break;
        case Rounding::toward_zero:
            break;
    }
    const u64 field = below > 0 ? 0 : static_cast<u64>(unbiased + bias - 1);
    return below > 0 ? kept : (field << format.stored_bits) + kept;
}

/// The bits of ±significand * 2^exponent in the format. Overflow gives infinity or the largest finite value,
/// depending on the mode.
constexpr u64 pack_float(FloatFormat format, bool negative, u64 significand, int exponent,
                         Rounding rounding) {
    const u64 sign = u64{negative} << (format.stored_bits + format.exponent_bits);
    const u64 infinity = ((u64{1} << format.exponent_bits) - 1) << format.stored_bits;
    u64 bits = round_magnitude(format, negative, significand, exponent, rounding);
    if (bits >= infinity) {
        bool to_infinity = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away ||
                           rounding == (negative ? Rounding::down : Rounding::up);
        bits = to_infinity ? infinity : infinity - 1;
    }
    return sign | bits;
}

/// A finite double as ±significand * 2^exponent.
struct Unpacked {
    bool negative;
    u64 significand;
    int exponent;
};
constexpr Unpacked unpack(double x) {
    u64 bits = std::bit_cast<u64>(x);
    int field = static_cast<int>(bits >> 52 & 0x7ff);
    u64 fraction = bits & 0xfffffffffffffull;
    if (field == 0) return {bits >> 63 != 0, fraction, -1074};
    return {bits >> 63 != 0, fraction | 1ull << 52, field - 1075};
}

/// `x` rounded to the format; infinities are kept, a NaN becomes `nan`.
constexpr u64 round_to(FloatFormat format, double x, Rounding rounding, u64 nan) {
    if (x != x) return nan;
    u64 bits = std::bit_cast<u64>(x);
    if ((bits & 0x7fffffffffffffffull) == 0x7ff0000000000000ull)
        return (bits >> 63) << (format.stored_bits + format.exponent_bits) |
               ((u64{1} << format.exponent_bits) - 1) << format.stored_bits;
    Unpacked parts = unpack(x);
    return pack_float(format, parts.negative, parts.significand, parts.exponent, rounding);
}

}  // namespace warplens::simt
