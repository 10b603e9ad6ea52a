#include "app/pipeline/knob_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.h"

namespace warplens::app {
namespace {

using instrumentation::ParameterDeclaration;
using instrumentation::to_string;

/// Clicks of drag that cross a whole range.
constexpr double clicks_over_range = 100;

std::string text_of(const ParameterDeclaration& parameter, double value) {
    if (std::holds_alternative<std::int64_t>(parameter.fallback))
        return std::to_string(static_cast<std::int64_t>(std::llround(value)));
    return to_string(instrumentation::Value(value));
}

}  // namespace

std::optional<std::string> stepped(const ParameterDeclaration& parameter, const std::string& value,
                                   int steps) {
    if (steps == 0) return std::nullopt;
    if (!parameter.values.empty()) {
        const auto found = std::ranges::find_if(
            parameter.values, [&](const auto& allowed) { return to_string(allowed) == value; });
        // From a value that is not in the list, any step leads to a value in it.
        const auto count = static_cast<std::ptrdiff_t>(parameter.values.size());
        const auto at = found == parameter.values.end() ? 0 : found - parameter.values.begin() + steps;
        std::string next = to_string(
            parameter.values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, count - 1))]);
        return next == value ? std::nullopt : std::optional(next);
    }
    const std::optional<double> now = number_from<double>(value);
    if (!now || (!parameter.minimum && !parameter.maximum)) return std::nullopt;
    const double step = parameter.step > 0 ? parameter.step : 1;
    double next = *now + steps * step;
    if (parameter.maximum) next = std::min(next, *parameter.maximum);
    if (parameter.minimum) next = std::max(next, *parameter.minimum);
    std::string text = text_of(parameter, next);
    return text == value ? std::nullopt : std::optional(text);
}

int steps_per_click(const ParameterDeclaration& parameter) {
    if (!parameter.values.empty() || !parameter.minimum || !parameter.maximum) return 1;
    const double step = parameter.step > 0 ? parameter.step : 1;
    const double steps = (*parameter.maximum - *parameter.minimum) / step;
    return std::max(1, static_cast<int>(std::min(1e9, steps / clicks_over_range)));
}

std::string allowed_words(const ParameterDeclaration& parameter) {
    if (!parameter.values.empty()) {
        std::string words;
        for (std::size_t i = 0; i < parameter.values.size(); ++i) {
            if (i > 0) words += i + 1 == parameter.values.size() ? " or " : ", ";
            words += to_string(parameter.values[i]);
        }
        return words;
    }
    std::string words;
    if (parameter.minimum && parameter.maximum)
        words = fmt::format("{} to {}", text_of(parameter, *parameter.minimum),
                            text_of(parameter, *parameter.maximum));
    else if (parameter.minimum) words = fmt::format("{} or more", text_of(parameter, *parameter.minimum));
    else if (parameter.maximum) words = fmt::format("at most {}", text_of(parameter, *parameter.maximum));
    if (!words.empty() && parameter.step > 0 && parameter.step != 1)
        words += fmt::format(" in steps of {}", text_of(parameter, parameter.step));
    return words;
}

}  // namespace warplens::app
