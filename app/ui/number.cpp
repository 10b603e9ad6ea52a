#include "app/ui/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/number_text.h"

namespace warplens::app {

std::string grouped_signed(std::int64_t value) {
    const auto magnitude =
        value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    return (value < 0 ? "−" : "") + grouped(magnitude);
}

std::string grouped_text(const std::string& value) {
    const auto number = number_from<std::uint64_t>(value);
    return number ? grouped(*number) : value;
}

std::string decimal(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::size_t first = text.front() == '-' ? 1 : 0;
    for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, 1, ',');
    if (first == 1) text = text == "-0" ? "0" : "−" + text.substr(1);
    return text;
}

std::string three_digits(double value) {
    if (!(std::abs(value) >= 999.5) || std::abs(value) > 1e15) return fmt::format("{:.3g}", value);
    const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return decimal(std::round(value / step) * step, 0);
}

std::string percent(double share, int decimals) {
    // A little is not nothing: 0.3 %, not 0 %.
    while (share > 0 && decimals < 2 && 100 * share < 0.5 * std::pow(10.0, -decimals)) ++decimals;
    return decimal(100 * share, decimals) + " %";
}

std::string bytes_words(std::uint64_t bytes) {
    constexpr std::uint64_t kib = 1024, mib = kib * kib, gib = kib * mib;
    const auto in = [&](std::uint64_t unit, const char* name) {
        return decimal(static_cast<double>(bytes) / static_cast<double>(unit), 3) + " " + name;
    };
    if (bytes < kib) return grouped(bytes) + " B";
    if (bytes < mib) return in(kib, "KiB");
    if (bytes < gib) return in(mib, "MiB");
    return in(gib, "GiB");
}

std::string scaled(double value, const char* unit) {
    constexpr std::array prefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
    constexpr int none = 3;
    if (value == 0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
    const double magnitude = std::log10(std::abs(value)) + 1e-3;  // 999.6 is printed as 1,000
    const int prefix = std::clamp(static_cast<int>(std::floor(magnitude / 3)) + none, 0,
                                  static_cast<int>(prefixes.size()) - 1);
    const double shown = value / std::pow(1000.0, prefix - none);
    const int decimals =
        std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(shown)) + 1e-3)), 0, 2);
    return fmt::format("{} {}{}", decimal(shown, decimals), prefixes[static_cast<std::size_t>(prefix)], unit);
}

std::string compact(double count) {
    constexpr std::array units{"", "k", "M", "G", "T"};
    std::size_t unit = 0;
    for (; std::round(count) >= 1000 && unit + 1 < units.size(); ++unit) count /= 1000;
    return decimal(count, unit > 0 && count < 9.95 ? 1 : 0) + units[unit];
}

std::string cycles_words(double cycles) {
    return counted(static_cast<std::uint64_t>(std::llround(std::max(cycles, 0.0))), "cycle");
}

std::string counted(std::uint64_t count, const char* noun, const char* plural) {
    if (count == 1) return std::string("1 ") + noun;
    return grouped(count) + " " + (plural ? plural : std::string(noun) + "s");
}

}  // namespace warplens::app
