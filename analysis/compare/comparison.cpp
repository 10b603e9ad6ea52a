#include "analysis/compare/comparison.h"

#include <algorithm>
#include <cmath>

#include "analysis/compare/verdict.h"
#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

bool same_share(const RunFacts& a, const RunFacts& b) {
    return (a.complete() && b.complete()) || (a.blocks_executed == b.blocks_executed && a.grid == b.grid);
}

/// Sums of the same numbers in another order.
bool is_rounding(double a, double b) { return std::abs(b - a) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

MetricChange change_of(const Metric& metric, const RunFacts& before, const RunFacts& after) {
    MetricChange change{&metric, before.fact(metric), after.fact(metric), Outcome::incomparable, {}, {}};
    if (!change.before.value || !change.after.value) {
        if (!change.before.value && !change.after.value) change.outcome = Outcome::same;
        return change;
    }
    if (metric.kind == MetricKind::sum && !same_share(before, after)) return change;
    if (change.mixes_levels()) return change;
    const double a = *change.before.value, b = *change.after.value;
    change.difference = is_rounding(a, b) ? 0 : b - a;
    if (a != 0) change.percent = 100 * *change.difference / std::abs(a);
    change.outcome = outcome_alone(change);
    if (metric.amount.empty() || change.outcome == Outcome::same) return change;
    const Outcome amount = change_of(*find_metric(metric.amount), before, after).outcome;
    if (amount != Outcome::incomparable && amount != change.outcome) change.outcome = Outcome::differs;
    return change;
}

/// A file keeps its name; launches are named by their differences.
void name_runs(Comparison& comparison) {
    const auto name = [](const RunFacts& run, const RunFacts& other) {
        if (run.name != run.kernel && run.name != other.name) return run.name;
        if (run.kernel != other.kernel) return run.kernel;
        std::string words;
        for (const auto& [key, value] : run.parameters)
            if (const auto twin = other.parameters.find(key);
                twin != other.parameters.end() && twin->second != value)
                words += fmt::format("{}{}={}", words.empty() ? "" : " ", key, value);
        if (words.empty() && run.gpu != other.gpu) words = run.gpu;
        if (words.empty() && run.counted != other.counted)
            words = run.counted == Provenance::measured ? "GPU" : "CPU engine";
        return words;
    };
    comparison.before_name = name(comparison.before, comparison.after);
    comparison.after_name = name(comparison.after, comparison.before);
    if (comparison.before_name.empty()) comparison.before_name = "before";
    if (comparison.after_name.empty()) comparison.after_name = "after";
}

}  // namespace

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::same:
            return "same";
        case Outcome::better:
            return "better";
        case Outcome::worse:
            return "worse";
        case Outcome::differs:
            return "differs";
        case Outcome::incomparable:
            return "incomparable";
    }
    return "";
}

Outcome outcome_alone(const MetricChange& change) {
    if (!change.difference) return change.outcome;
    if (*change.difference == 0) return Outcome::same;
    const Metric& metric = *change.metric;
    if (metric.better == Better::neither || metric.kind == MetricKind::breakdown) return Outcome::differs;
    return (metric.better == Better::less) == (*change.difference < 0) ? Outcome::better : Outcome::worse;
}

const MetricChange& Comparison::change(const Metric& metric) const {
    return changes[static_cast<std::size_t>(&metric - metrics().data())];
}

Comparison compare(RunFacts before, RunFacts after) {
    Comparison comparison{std::move(before), std::move(after), {}, {}, {}, {}, {}, {}};
    for (const Metric& metric : metrics())
        comparison.changes.push_back(change_of(metric, comparison.before, comparison.after));
    comparison.settings = differing_settings(comparison.before, comparison.after);
    name_runs(comparison);
    comparison.cautions = cautions_of(comparison.before, comparison.after);
    comparison.verdict = verdict_of(comparison);
    return comparison;
}

std::string percent_words(const MetricChange& change) {
    return change.percent ? signed_percent(*change.percent) : std::string();
}

std::string arrow_words(const MetricChange& change) {
    const auto words = [](double value) {
        return value >= 0.01 && value < 1000 ? rounded(value) : metric_value(value);
    };
    return fmt::format("{} → {}", words(*change.before.value), words(*change.after.value));
}

std::string plain_words(const Metric& metric, double value) {
    return metric.unit == "s" ? fmt::format("{:.4g} µs", value * 1e6) : metric_value(value);
}

std::string value_words(const Metric& metric, const MetricFact& fact) {
    if (!fact.value) return "none";
    return metric.unit == "s" ? plain_words(metric, *fact.value) : metric_words(metric, *fact.value);
}

}  // namespace warplens::analysis
