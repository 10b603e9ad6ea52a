#include "analysis/wording.h"

#include <fmt/format.h>

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

std::string counted(std::uint64_t count, std::string_view singular) {
    return fmt::format("{} {}{}", grouped(count), singular, count == 1 ? "" : "s");
}

}  // namespace warplens::analysis
