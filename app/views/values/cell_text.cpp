#include "app/views/values/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

constexpr int most_digits = 6;

/// A decimal number, and nothing else.
bool is_number(const std::string& text, double& value) {
    char* end = nullptr;
    value = std::strtod(text.c_str(), &end);
    return !text.empty() && end == text.c_str() + text.size() &&
           text.find_first_of("xX") == std::string::npos;
}

/// With one digit: 0.00866 is "9e-3".
std::string power_text(double value) {
    const std::string text = fmt::format("{:.0e}", value);
    const std::size_t power = text.find_first_not_of('0', text.find('-', 1) + 1);
    return power == text.npos ? text : text.substr(0, text.find('-', 1) + 1) + text.substr(power);
}

}  // namespace

int digits_that_fit(const Ink& ink, std::span<const std::string> texts, float width) {
    const auto fits = [&](const std::string& text) {
        return text_width(ink.theme.fonts.small, text) <= width;
    };
    if (std::ranges::all_of(texts, fits)) return 0;
    for (int digits = most_digits; digits > 1; --digits)
        if (std::ranges::all_of(texts, [&](const std::string& text) {
                double value = 0;
                return text.find('.') == text.npos || !is_number(text, value) ||
                       fits(fmt::format("{:.{}g}", value, digits));
            }))
            return digits;
    return 1;
}

std::string cell_text(const Ink& ink, const std::string& text, float width, int digits) {
    const auto fits = [&](const std::string& shorter) {
        return text_width(ink.theme.fonts.small, shorter) <= width;
    };
    double value = 0;
    const bool is_whole = text.find('.') == std::string::npos;
    if ((fits(text) && (digits == 0 || is_whole)) || !is_number(text, value)) return text;
    if (!is_whole)
        for (int all = digits > 0 ? digits : most_digits; all >= 1; --all)
            if (const std::string shorter = fmt::format("{:.{}g}", value, all); fits(shorter)) return shorter;
    if (value != 0 && std::abs(value) < 0.1)
        if (const std::string shorter = power_text(value); fits(shorter)) return shorter;
    if (std::abs(value) >= 1000)
        if (const std::string shorter = (value < 0 ? "-" : "") + compact(std::abs(value)); fits(shorter))
            return shorter;
    return "…";
}

}  // namespace warplens::app
