// Floating-point numbers of 8, 6 and 4 bits ("PTX ISA: Alternate Floating-Point Data Formats"): to double and
// back. Results clamp to the largest finite number, since every conversion to these formats has .satfinite.
#pragma once

#include <cmath>

#include "ptx/types.h"
#include "simt/functional/execute/float_format.h"

namespace warplens::simt {

struct NarrowFormat {
    FloatFormat format;
    u8 largest;     // magnitude bits of the largest number
    u8 nan;         // the result for a NaN; the largest number in formats without NaN
    u8 first_nan;   // magnitudes from here on are NaN; 0: the format has none
    bool infinite;  // the magnitude after the largest number is infinity
    int bits() const { return 1 + format.stored_bits + format.exponent_bits; }
};

/// The format of an x2 type; nullptr for any other type.
inline const NarrowFormat* narrow_format(ptx::Type type) {
    static constexpr NarrowFormat e4m3{{3, 4}, 0x7e, 0x7f, 0x7f, false};
    static constexpr NarrowFormat e5m2{{2, 5}, 0x7b, 0x7f, 0x7d, true};
    static constexpr NarrowFormat e2m3{{3, 2}, 0x1f, 0x1f, 0, false};
    static constexpr NarrowFormat e3m2{{2, 3}, 0x1f, 0x1f, 0, false};
    static constexpr NarrowFormat e2m1{{1, 2}, 0x07, 0x07, 0, false};
    switch (type) {
        case ptx::Type::e4m3x2:
            return &e4m3;
        case ptx::Type::e5m2x2:
            return &e5m2;
        case ptx::Type::e2m3x2:
            return &e2m3;
        case ptx::Type::e3m2x2:
            return &e3m2;
        case ptx::Type::e2m1x2:
            return &e2m1;
        default:
            return nullptr;
    }
}

/// Distance in bits between the numbers of an x2 type.
inline int narrow_stride(const NarrowFormat& narrow) { return narrow.bits() <= 4 ? 4 : 8; }

inline double number_from_narrow(const NarrowFormat& narrow, u32 bits) {
    const int width = narrow.bits();
    const u32 magnitude = bits & ((1u << (width - 1)) - 1);
    const bool negative = (bits >> (width - 1) & 1) != 0;
    double number = 0;
    if (narrow.first_nan != 0 && magnitude >= narrow.first_nan) return std::nan("");
    if (narrow.infinite && magnitude == narrow.largest + 1u) {
        number = HUGE_VAL;
    } else {
        const int stored = narrow.format.stored_bits;
        const int field = static_cast<int>(magnitude >> stored);
        const u32 fraction = magnitude & ((1u << stored) - 1);
        const int bias = (1 << (narrow.format.exponent_bits - 1)) - 1;
        const u32 significand = field == 0 ? fraction : fraction | 1u << stored;
        number = std::ldexp(static_cast<double>(significand), (field == 0 ? 1 : field) - bias - stored);
    }
    return negative ? -number : number;
}

/// Rounded to nearest, ties to even.
inline u32 narrow_from_number(const NarrowFormat& narrow, double x) {
    if (x != x) return narrow.nan;
    const u32 sign = u32{std::signbit(x)} << (narrow.bits() - 1);
    const double most = number_from_narrow(narrow, narrow.largest);
    if (std::fabs(x) >= most) return sign | narrow.largest;
    const Unpacked parts = unpack(x);
    const u64 magnitude = round_magnitude(narrow.format, parts.negative, parts.significand, parts.exponent,
                                          Rounding::nearest_even);
    return sign | (magnitude > narrow.largest ? narrow.largest : static_cast<u32>(magnitude));
}

}  // namespace warplens::simt
