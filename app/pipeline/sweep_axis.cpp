// The axes of a sweep: from words, and those that a kernel's header suggests.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/pipeline/sweep.h"
#include "app/pipeline/swept_parameter.h"
#include "app/scene/view_list.h"
#include "core/number_text.h"

namespace warplens::app {
namespace {

std::optional<double> number(std::string_view text) {
    const auto value = number_from<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string printed(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15
               ? std::to_string(static_cast<std::int64_t>(value))
               : fmt::format("{:.10g}", value);
}

Result<std::vector<std::string>> range(std::string_view whole, std::string_view text, std::size_t dots) {
    std::string_view last_text = text.substr(dots + 2), step_text = "1";
    if (const auto colon = last_text.find(':'); colon != std::string_view::npos) {
        step_text = last_text.substr(colon + 1);
        last_text = last_text.substr(0, colon);
    }
    const bool factor = step_text.starts_with('*');
    if (factor) step_text.remove_prefix(1);
    const auto first = number(text.substr(0, dots)), last = number(last_text), step = number(step_text);
    if (!first || !last || !step)
        return fail("--over {}: a range is FIRST..LAST, FIRST..LAST:STEP or FIRST..LAST:*FACTOR, in numbers",
                    whole);
    if (*last < *first) return fail("--over {}: {} comes after {}", whole, *first, *last);
    if (factor && (*step <= 1 || *first <= 0))
        return fail("--over {}: a factor is above 1, and the first value above 0", whole);
    if (!factor && *step <= 0) return fail("--over {}: a step is above 0", whole);
    std::vector<std::string> values;
    // A little past the last, so that steps such as 0.1 reach it.
    const double end = *last + 1e-9 * std::max(1.0, std::abs(*last));
    for (std::size_t i = 0; values.size() <= most_sweep_points; ++i) {
        const double value = factor ? *first * std::pow(*step, double(i)) : *first + *step * double(i);
        if (value > end) break;
        values.push_back(printed(value));
    }
    return values;
}

/// The least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below `least`.
double round_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least) + 1e-9));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

/// The ends of a range without a step, and round numbers between them.
std::vector<std::string> round_values(double low, double high, std::size_t most) {
    std::vector<std::string> values{printed(low)};
    const double step = round_step((high - low) / double(most - 1));
    for (double i = std::floor(low / step) + 1; i * step < high - 1e-9 * step && values.size() + 1 < most;
         ++i)
        if (i * step > low + 1e-9 * step) values.push_back(printed(i * step));
    values.push_back(printed(high));
    return values;
}

/// The power of two that is nearest, if no other swept value is nearer to it: conflicts, sectors and
/// occupancy change there.
double decisive(double value, double apart, double low, double step) {
    if (value < 1) return value;
    const double power = std::exp2(std::round(std::log2(value)));
    const bool allowed = power >= low && std::fmod(power - low, step) == 0;
    return allowed && std::abs(power - value) <= apart / 2 ? power : value;
}

}  // namespace

Result<SweepAxis> parse_axis(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
        return fail("--over {}: it takes NAME=A..B, NAME=A..B:STEP, NAME=A..B:*FACTOR or NAME=A,B,C", text);
    SweepAxis axis;
    axis.name = text.substr(0, equals);
    std::string_view values = text.substr(equals + 1);
    if (const auto dots = values.find(".."); dots != std::string_view::npos) {
        WARPLENS_TRY(axis.values, range(text, values, dots));
    } else {
        while (true) {
            const auto comma = values.find(',');
            if (values.substr(0, comma).empty()) return fail("--over {}: a value is missing", text);
            axis.values.emplace_back(values.substr(0, comma));
            if (comma == std::string_view::npos) break;
            values.remove_prefix(comma + 1);
        }
    }
    if (axis.values.size() > most_sweep_points)
        return fail("--over {}: at most {} values can be swept; take a larger step", text, most_sweep_points);
    return axis;
}

std::vector<std::string> sweep_values(const instrumentation::ParameterDeclaration& parameter,
                                      std::size_t most) {
    std::vector<std::string> values;
    for (const auto& value : parameter.values) values.push_back(instrumentation::to_string(value));
    if (!values.empty() || !parameter.minimum || !parameter.maximum || most < 2) return values;
    const double low = *parameter.minimum, high = *parameter.maximum;
    if (high <= low) return values;
    if (parameter.step <= 0) return round_values(low, high, most);
    const double step = parameter.step;
    const double count = std::floor((high - low) / step) + 1;
    if (count <= 2.0 * double(most)) {
        for (double i = 0; i < count; ++i) values.push_back(printed(low + i * step));
    } else if (low > 0 && high / low >= 64) {
        for (double value = low; value <= high && values.size() < most; value *= 2)
            if (std::fmod(value - low, step) == 0) values.push_back(printed(value));
    } else {
        const double apart = (high - low) / double(most - 1);
        for (std::size_t i = 0; i < most; ++i) {
            const double even = low + std::floor((count - 1) * double(i) / double(most - 1)) * step;
            std::string value = printed(i == 0 || i + 1 == most ? even : decisive(even, apart, low, step));
            if (values.empty() || values.back() != value) values.push_back(std::move(value));
        }
    }
    return values;
}

namespace {

/// Of the header's [sweep].
SweepPlan declared_sweep(const instrumentation::KernelFile& kernel) {
    SweepPlan plan;
    for (const auto& axis : kernel.sweep->over) {
        const auto declared = std::ranges::find(kernel.parameters, axis.parameter,
                                                &instrumentation::ParameterDeclaration::name);
        plan.axes.push_back({axis.parameter, axis.values.empty() ? sweep_values(*declared) : axis.values});
    }
    for (const std::string& name : kernel.sweep->metrics)
        if (const analysis::Metric* metric = analysis::find_metric(name)) plan.metrics.push_back(metric);
    return plan;
}

}  // namespace

std::string swept_words(const std::string& value) {
    const bool digits =
        value.size() > 3 && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    return digits && value.size() < 19 ? analysis::metric_value(std::stod(value)) : value;
}

std::vector<std::string> tick_words(const SweepAxis& axis) {
    std::vector<std::string> exact;
    for (const std::string& value : axis.values) exact.push_back(swept_words(value));
    const auto is_whole = [](const std::string& value) { return value.find_first_of(".eE") == value.npos; };
    if (std::ranges::all_of(axis.values, is_whole)) return exact;
    for (int digits = 4; digits < 10; ++digits) {
        std::vector<std::string> words;
        for (const std::string& value : axis.values) {
            const auto real = number(value);
            if (!real) return exact;
            words.push_back(printed(std::stod(fmt::format("{:.{}g}", *real, digits))));
        }
        std::vector<std::string> distinct = words;
        std::ranges::sort(distinct);
        if (std::ranges::adjacent_find(distinct) == distinct.end()) return words;
    }
    return exact;
}

std::string setting_words(const SweepPlan& plan, const std::vector<std::string>& at, std::string_view quote) {
    std::string words;
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
        words +=
            fmt::format("{0}{1}{2} {3}{1}", i > 0 ? ", " : "", quote, plan.axes[i].name, swept_words(at[i]));
    return words;
}

SweepPlan first_sweep(const instrumentation::KernelFile& kernel) {
    SweepPlan plan;
    if (kernel.sweep) plan = declared_sweep(kernel);
    else if (const auto* parameter = swept_parameter(kernel))
        plan.axes = {{parameter->name, sweep_values(*parameter)}};
    if (!plan.metrics.empty()) return plan;
    const ViewRow* view = kernel.views.empty() ? nullptr : find_view_row(kernel.views.front());
    plan.metrics = {analysis::find_metric(view != nullptr ? view->metric : "steps"),
                    analysis::find_metric("schedule.cycles")};
    // The first one decides what is best. Steps are not an aim: more of them are often faster.
    if (plan.metrics.front() == analysis::find_metric("steps")) std::swap(plan.metrics[0], plan.metrics[1]);
    return plan;
}

}  // namespace warplens::app
