#include "app/views/shared/cell_text.h"

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
           text.find_first_of("xX") == std::string::npos && std::isfinite(value);
}

/// With one digit: 0.00866 is "9e-3".
std::string power_text(double value) {
    const std::string text = fmt::format("{:.0e}", value);
    const std::size_t power = text.find_first_not_of('0', text.find('-', 1) + 1);
    return power == text.npos ? text : text.substr(0, text.find('-', 1) + 1) + text.substr(power);
}

bool is_whole(const std::string& text) { return text.find('.') == std::string::npos; }

/// With so many digits after the point it would be 0, or lose its only one.
bool vanishes(double value, int decimals) {
    return value != 0 && std::abs(value) < std::pow(10.0, -decimals);
}

/// Digits after the point with which all fractions of the texts fit and few of them vanish, at least two if
/// any does; 0: there are none.
int decimals_that_fit(const Ink& ink, std::span<const std::string> texts, float width) {
    for (int decimals = most_digits; decimals > 0; --decimals) {
        std::size_t fractions = 0, vanished = 0;
        const bool all = std::ranges::all_of(texts, [&](const std::string& text) {
            double value = 0;
            if (is_whole(text) || !is_number(text, value)) return true;
            ++fractions;
            vanished += vanishes(value, decimals);
            const std::string shown =
                vanishes(value, decimals) ? power_text(value) : fmt::format("{:.{}f}", value, decimals);
            return text_width(ink.theme.fonts.small, shown) <= width;
        });
        if (all && (vanished == 0 || (decimals > 1 && 4 * vanished <= fractions))) return decimals;
    }
    return 0;
}

/// "1.2k" of 1234.
std::string whole_in_short(double value) { return (value < 0 ? "-" : "") + compact(std::abs(value)); }

}  // namespace

std::vector<std::string> cell_texts(const Ink& ink, std::span<const std::string> texts, float width) {
    const auto fits = [&](const std::string& text) {
        return text_width(ink.theme.fonts.small, text) <= width;
    };
    std::vector<std::string> shown(texts.begin(), texts.end());
    if (std::ranges::all_of(shown, fits)) return shown;
    const bool all_wholes_fit =
        std::ranges::all_of(texts, [&](const std::string& text) { return !is_whole(text) || fits(text); });
    const int decimals = decimals_that_fit(ink, texts, width), digits = digits_that_fit(ink, texts, width);
    for (std::string& text : shown) {
        double value = 0;
        if (!is_number(text, value)) continue;
        if (is_whole(text)) {
            const std::string shorter =
                !all_wholes_fit && std::abs(value) >= 1000 ? whole_in_short(value) : text;
            text = fits(shorter) ? shorter : "…";
        } else {
            text = decimals == 0               ? cell_text(ink, text, width, digits)
                   : vanishes(value, decimals) ? power_text(value)
                                               : fmt::format("{:.{}f}", value, decimals);
        }
    }
    return shown;
}

int digits_that_fit(const Ink& ink, std::span<const std::string> texts, float width) {
    const auto fits = [&](const std::string& text) {
        return text_width(ink.theme.fonts.small, text) <= width;
    };
    if (std::ranges::all_of(texts, fits)) return 0;
    for (int digits = most_digits; digits > 1; --digits)
        if (std::ranges::all_of(texts, [&](const std::string& text) {
                double value = 0;
                return is_whole(text) || !is_number(text, value) ||
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
    const bool whole = is_whole(text);
    if ((fits(text) && (digits == 0 || whole)) || !is_number(text, value)) return text;
    if (!whole)
        for (int all = digits > 0 ? digits : most_digits; all >= 1; --all)
            if (const std::string shorter = fmt::format("{:.{}g}", value, all); fits(shorter)) return shorter;
    if (value != 0 && std::abs(value) < 0.1)
        if (const std::string shorter = power_text(value); fits(shorter)) return shorter;
    if (std::abs(value) >= 1000)
        if (const std::string shorter = whole_in_short(value); fits(shorter)) return shorter;
    return "…";
}

}  // namespace warplens::app
