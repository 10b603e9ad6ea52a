#include "app/views/values/cell_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

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

std::string cell_text(const Ink& ink, const std::string& text, float width) {
    const auto fits = [&](const std::string& shorter) {
        return text_width(ink.theme.fonts.small, shorter) <= width;
    };
    double value = 0;
    if (fits(text) || !is_number(text, value)) return text;
    if (text.find('.') != std::string::npos)
        for (int digits = 6; digits >= 1; --digits)
            if (const std::string shorter = fmt::format("{:.{}g}", value, digits); fits(shorter))
                return shorter;
    if (value != 0 && std::abs(value) < 0.1)
        if (const std::string shorter = power_text(value); fits(shorter)) return shorter;
    if (std::abs(value) >= 1000)
        if (const std::string shorter = (value < 0 ? "-" : "") + compact(std::abs(value)); fits(shorter))
            return shorter;
    return "…";
}

}  // namespace warplens::app
