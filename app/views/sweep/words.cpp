// Sweep: its numbers and points in words.
#include <fmt/format.h>

#include <cmath>

#include "app/ui/number.h"
#include "app/views/sweep/drawing.h"

namespace warplens::app {
namespace {

/// To four digits: "29.6 lanes", as other views have it. A whole number keeps all of its digits.
double in_four_digits(double value) {
    if (value == std::floor(value) || std::abs(value) >= 1000) return value;
    return std::stod(fmt::format("{:.4g}", value));
}

}  // namespace

std::string sweep_number(const analysis::Metric& metric, double value) {
    return metric.is_share() ? percent(value) : analysis::metric_value(in_four_digits(value));
}

std::string sweep_words(const analysis::Metric& metric, double value) {
    return metric.is_share() ? percent(value) : analysis::metric_words(metric, in_four_digits(value));
}

double round_up(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 2.5, 4.0, 5.0, 8.0, 10.0})
        if (value <= step * unit * (1 + 1e-12)) return step * unit;
    return 10 * unit;
}

std::vector<std::string> sweep_row_words(const Sweep& sweep, std::size_t row) {
    const SweepRow& at = sweep.rows[row];
    std::vector<std::string> lines;
    std::string where;
    for (std::size_t i = 0; i < sweep.plan.axes.size(); ++i)
        where += (i > 0 ? " · " : "") + sweep.plan.axes[i].name + " " + swept_words(at.at[i]);
    lines.push_back(where);
    for (std::size_t i = 0; i < sweep.plan.metrics.size(); ++i)
        if (at.values[i])
            lines.push_back(sweep.plan.metrics[i]->name + ": " +
                            sweep_words(*sweep.plan.metrics[i], *at.values[i]));
    if (!at.failed.empty()) lines.push_back(at.failed);
    else if (!at.problem.empty()) lines.push_back(at.problem);
    else if (!at.absent.empty()) lines.push_back(at.absent);
    return lines;
}

}  // namespace warplens::app
