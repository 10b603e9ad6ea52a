#include "sass/number_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "core/half.h"

namespace warplens::sass {

namespace {

/// "+INF", "-QNAN", or nothing for a finite number.
std::string special(bool negative, bool all_exponent, std::uint64_t mantissa, std::uint64_t quiet_bit) {
    if (!all_exponent) return {};
    const char sign = negative ? '-' : '+';
    if (mantissa == 0) return fmt::format("{}INF ", sign);
    return fmt::format("{}{}NAN ", sign, mantissa & quiet_bit ? 'Q' : 'S');
}

std::string decimal(double value) {
    return std::fabs(value) >= 1e9 ? fmt::format("{:.20e}", value) : fmt::format("{:.20g}", value);
}

std::string half_text(std::uint16_t bits) {
    const std::string named = special(bits >> 15, (bits >> 10 & 31) == 31, bits & 0x3ff, 0x200);
    if (bits == 0x8000) return "-0.0";
    return named.empty() ? decimal(half_to_float(bits)) : named;
}

std::string bfloat_text(std::uint16_t bits) { return float32_text(static_cast<std::uint32_t>(bits) << 16); }

}  // namespace

std::string hexadecimal(std::int64_t value) {
    const auto magnitude =
        value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return fmt::format("{}{:#x}", value < 0 ? "-" : "", magnitude);
}

std::string float32_text(std::uint32_t bits) {
    const std::string named = special(bits >> 31, (bits >> 23 & 255) == 255, bits & 0x7fffff, 0x400000);
    return named.empty() ? decimal(std::bit_cast<float>(bits)) : named;
}

std::string float64_text(std::uint32_t high_bits) {
    const std::string named =
        special(high_bits >> 31, (high_bits >> 20 & 0x7ff) == 0x7ff, high_bits & 0xfffff, 0x80000);
    return named.empty() ? decimal(std::bit_cast<double>(static_cast<std::uint64_t>(high_bits) << 32))
                         : named;
}

std::string half2_text(std::uint32_t bits) {
    return half_text(static_cast<std::uint16_t>(bits >> 16)) + ", " +
           half_text(static_cast<std::uint16_t>(bits));
}

std::string bfloat2_text(std::uint32_t bits) {
    return bfloat_text(static_cast<std::uint16_t>(bits >> 16)) + ", " +
           bfloat_text(static_cast<std::uint16_t>(bits));
}

std::string special_register_text(std::uint16_t index) {
    static const auto names = [] {
        std::array<std::string_view, 256> all{};
#define SASS_SPECIAL_REGISTER(number, name) all[number] = name;
#include "sass/special_registers.def"
#undef SASS_SPECIAL_REGISTER
        return all;
    }();
    if (index < names.size() && !names[index].empty()) return std::string(names[index]);
    return fmt::format("SR{}", index);
}

}  // namespace warplens::sass
