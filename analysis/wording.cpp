#include "analysis/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::analysis {

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
    return digits;
}

std::string rounded(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string ratio(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? "-" : rounded(double(sum) / double(count));
}

std::string with_prefix(double value, std::string_view unit, std::string_view one) {
    constexpr std::array prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (; std::abs(value) >= 999.5 && prefix + 1 < prefixes.size(); ++prefix) value /= 1000;
    const std::string digits =
        value < 9.95 && prefix > 0 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
    // Of a value that two decimals would lose, two digits are shown.
    const double size = std::abs(value);
    if (size > 0 && size < 0.00995)
        return fmt::format("{:.{}f} {}", value, 1 - static_cast<int>(std::floor(std::log10(size))),
                           one.empty() ? unit : one);
    if (prefix == 0) return fmt::format("{} {}", rounded(value), one.empty() ? unit : one);
    return fmt::format("{} {}{}", digits, prefixes[prefix], unit);
}

std::string duration(double seconds) {
    const double ns = seconds * 1e9;
    if (ns < 0.095) return fmt::format("{:.2g} ns", ns);
    if (ns < 999.5) return fmt::format("{:.{}f} ns", ns, ns < 9.95 ? 1 : 0);
    if (ns < 999.5e3) return rounded(ns * 1e-3) + " µs";
    if (ns < 999.5e6) return rounded(ns * 1e-6) + " ms";
    return rounded(seconds) + " s";
}

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

namespace {

/// Of a value above 0 and below 1, never in scientific notation: 0.0213 -> "0.02".
std::string one_digit(double value) {
    const int decimals = static_cast<int>(-std::floor(std::log10(value)));
    std::string text = fmt::format("{:.{}f}", value, std::min(decimals, 15));
    while (text.back() == '0') text.pop_back();  // 0.0097 is 0.01
    return text.back() == '.' ? "0" : text;
}

}  // namespace

std::string signed_percent(double percent) {
    const double size = std::abs(percent);
    if (size == 0) return "0 %";
    const std::string digits = size < 0.05 ? one_digit(size)
                               : size < 9.95
                                   ? fmt::format("{:.1f}", size)
                                   : grouped(static_cast<std::uint64_t>(std::llround(std::min(size, 1e15))));
    return fmt::format("{}{} %", percent < 0 ? "−" : "+", digits);
}

std::string counted(std::uint64_t count, std::string_view singular) {
    return fmt::format("{} {}{}", grouped(count), singular, count == 1 ? "" : "s");
}

}  // namespace warplens::analysis
