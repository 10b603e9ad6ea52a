// Half precision (f16) as its 16 bits: to float, which is exact, and back, rounded to the nearest even. And
// the other format of 16 bits, bfloat16 (bf16): the upper half of a float.
#pragma once

#include <bit>
#include <cstdint>

namespace warplens {

constexpr float half_to_float(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    if (magnitude >= 0x7c00u)  // infinity or NaN
        return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
    if (magnitude >= 0x0400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
    const float small = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(small));
}

/// Beyond the largest half is infinity; a NaN becomes 0x7fff.
constexpr std::uint16_t half_from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return 0x7fff;
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65536 and more
    // Significand and the bits to drop; below 2^-14 the spacing of halves is 2^-24.
    const std::uint32_t exponent = magnitude >> 23;
    if (exponent < 102) return sign;  // below 2^-25, half of the least one
    const bool normal = exponent >= 113;
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t drop = normal ? 13 : 126 - exponent;
    std::uint32_t kept = significand >> drop;
    const std::uint32_t rest = significand & ((1u << drop) - 1), half = 1u << (drop - 1);
    kept += rest > half || (rest == half && (kept & 1u) != 0);
    const std::uint32_t field = normal ? kept + ((exponent - 113) << 10) : kept;
    return static_cast<std::uint16_t>(sign | field);
}

/// Rounded to the nearest even; a NaN becomes 0x7fff.
constexpr std::uint16_t bfloat_from_float(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace warplens
