// Floating point of 16 bits: the conversions of half and bfloat16, rounded to the nearest even value.
#pragma once

#include <cmath>
#include <cstdint>

namespace warplens_program {

/// A format of 16 bits by the bits of its mantissa and the exponent of its smallest normal number.
template <int mantissa_bits, int smallest_exponent>
struct SmallFloat {
    static constexpr std::uint16_t infinity =
        static_cast<std::uint16_t>((0x7fff >> mantissa_bits) << mantissa_bits);

    static std::uint16_t encode(double value) {
        const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
        if (std::isnan(value)) return 0x7fff;
        const double size = std::fabs(value);
        if (std::isinf(value)) return sign | infinity;
        if (size == 0) return sign;
        int exponent = std::ilogb(size);
        if (exponent < smallest_exponent) exponent = smallest_exponent;
        if (exponent > 1 - smallest_exponent) return sign | infinity;
        // As many steps of the last bit as the value has; a carry goes on into the exponent.
        const int steps = static_cast<int>(std::nearbyint(std::ldexp(size, mantissa_bits - exponent)));
        const int bits = ((exponent - smallest_exponent) << mantissa_bits) + steps;
        return static_cast<std::uint16_t>(sign | (bits > infinity ? infinity : bits));
    }

    static float decode(std::uint16_t bits) {
        const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
        const int exponent = (bits & 0x7fff) >> mantissa_bits;
        const int mantissa = bits & ((1 << mantissa_bits) - 1);
        if ((bits & 0x7fff) >= infinity) return mantissa != 0 ? NAN : sign * INFINITY;
        if (exponent == 0)
            return sign * std::ldexp(static_cast<float>(mantissa), smallest_exponent - mantissa_bits);
        const int steps = mantissa | (1 << mantissa_bits);
        return sign * std::ldexp(static_cast<float>(steps), exponent - 1 + smallest_exponent - mantissa_bits);
    }
};

using HalfFormat = SmallFloat<10, -14>;
using BfloatFormat = SmallFloat<7, -126>;

}  // namespace warplens_program

// The operators of a type of 16 bits: each is computed with float and rounded once.
#define WARPLENS_SMALL_FLOAT_OPERATORS(type)                                                              \
    inline type operator+(type a, type b) { return type(static_cast<float>(a) + static_cast<float>(b)); } \
    inline type operator-(type a, type b) { return type(static_cast<float>(a) - static_cast<float>(b)); } \
    inline type operator*(type a, type b) { return type(static_cast<float>(a) * static_cast<float>(b)); } \
    inline type operator/(type a, type b) { return type(static_cast<float>(a) / static_cast<float>(b)); } \
    inline type operator-(type a) { return type(-static_cast<float>(a)); }                                \
    inline type operator+(type a) { return a; }                                                           \
    inline type& operator+=(type& a, type b) { return a = a + b; }                                        \
    inline type& operator-=(type& a, type b) { return a = a - b; }                                        \
    inline type& operator*=(type& a, type b) { return a = a * b; }                                        \
    inline type& operator/=(type& a, type b) { return a = a / b; }                                        \
    inline bool operator==(type a, type b) { return static_cast<float>(a) == static_cast<float>(b); }     \
    inline bool operator!=(type a, type b) { return static_cast<float>(a) != static_cast<float>(b); }     \
    inline bool operator<(type a, type b) { return static_cast<float>(a) < static_cast<float>(b); }       \
    inline bool operator>(type a, type b) { return static_cast<float>(a) > static_cast<float>(b); }       \
    inline bool operator<=(type a, type b) { return static_cast<float>(a) <= static_cast<float>(b); }     \
    inline bool operator>=(type a, type b) { return static_cast<float>(a) >= static_cast<float>(b); }     \
    inline type __hadd(type a, type b) { return a + b; }                                                  \
    inline type __hsub(type a, type b) { return a - b; }                                                  \
    inline type __hmul(type a, type b) { return a * b; }                                                  \
    inline type __hdiv(type a, type b) { return a / b; }                                                  \
    inline type __hneg(type a) { return -a; }                                                             \
    inline type __habs(type a) { return type(std::fabs(static_cast<float>(a))); }                         \
    /* The product of two such values is exact in double. */                                              \
    inline type __hfma(type a, type b, type c) {                                                          \
        return type(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) +                  \
                    static_cast<float>(c));                                                               \
    }                                                                                                     \
    inline bool __heq(type a, type b) { return a == b; }                                                  \
    inline bool __hne(type a, type b) { return a != b; }                                                  \
    inline bool __hlt(type a, type b) { return a < b; }                                                   \
    inline bool __hgt(type a, type b) { return a > b; }                                                   \
    inline bool __hle(type a, type b) { return a <= b; }                                                  \
    inline bool __hge(type a, type b) { return a >= b; }                                                  \
    inline bool __hisnan(type a) { return std::isnan(static_cast<float>(a)); }                            \
    inline type __hmax(type a, type b) {                                                                  \
        return type(std::fmax(static_cast<float>(a), static_cast<float>(b)));                             \
    }                                                                                                     \
    inline type __hmin(type a, type b) {                                                                  \
        return type(std::fmin(static_cast<float>(a), static_cast<float>(b)));                             \
    }

// The operators of a pair of them.
#define WARPLENS_SMALL_FLOAT_PAIR_OPERATORS(pair)                                \
    inline pair operator+(pair a, pair b) { return pair(a.x + b.x, a.y + b.y); } \
    inline pair operator-(pair a, pair b) { return pair(a.x - b.x, a.y - b.y); } \
    inline pair operator*(pair a, pair b) { return pair(a.x * b.x, a.y * b.y); } \
    inline pair operator/(pair a, pair b) { return pair(a.x / b.x, a.y / b.y); } \
    inline pair& operator+=(pair& a, pair b) { return a = a + b; }               \
    inline bool operator==(pair a, pair b) { return a.x == b.x && a.y == b.y; }  \
    inline bool operator!=(pair a, pair b) { return !(a == b); }                 \
    inline pair __hadd2(pair a, pair b) { return a + b; }                        \
    inline pair __hsub2(pair a, pair b) { return a - b; }                        \
    inline pair __hmul2(pair a, pair b) { return a * b; }                        \
    inline pair __hfma2(pair a, pair b, pair c) { return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
