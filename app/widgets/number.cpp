#include "app/widgets/number.h"

#include <fmt/format.h>

namespace warplens::app {

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

std::string grouped_signed(std::int64_t value) {
    const auto magnitude =
        value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    return (value < 0 ? "−" : "") + grouped(magnitude);
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

std::string percent(double share, int decimals) { return decimal(100 * share, decimals) + " %"; }

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

std::string counted(std::uint64_t count, const char* noun, const char* plural) {
    if (count == 1) return std::string("1 ") + noun;
    return grouped(count) + " " + (plural ? plural : std::string(noun) + "s");
}

}  // namespace warplens::app
