// Comparison: two runs side by side — every metric with both values, the direction of the change and whether
// it is better — and one sentence on the largest change and its effect on the time. It computes no quantity
// itself: the values come from metrics.h. It reports values from different sources and values that cannot be
// compared. comparison_printing.h prints it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/run_facts.h"

namespace warplens::analysis {

enum class Outcome : std::uint8_t {
    same,
    better,
    worse,
    differs,       // and neither direction is better; also for parts of a breakdown, and for a mean whose
                   // amount did not change the same way
    incomparable,  // a side has no value, or the values are sums over different shares of the grid, or of
                   // different levels
};
std::string_view to_string(Outcome outcome);

struct MetricChange {
    const Metric* metric = nullptr;
    MetricFact before, after;
    Outcome outcome = Outcome::same;
    std::optional<double> difference;  // after - before; none: incomparable
    std::optional<double> percent;     // of before, +20 when it grew by a fifth; none also where before is 0

    bool mixes_sources() const { return before.provenance != after.provenance; }
    bool mixes_levels() const { return before.level != after.level; }
};

struct Comparison {
    RunFacts before, after;
    std::vector<MetricChange> changes;  // in the order of metrics(), unchanged ones included

    /// The settings that differ: "PAD 0 → 1", "matmul_naive → matmul_tiled"; empty: the launches are equal.
    std::string settings;
    /// One line: "shared loads 32 → 1 wavefronts per request, 14,379 → 8,376 modelled launch cycles (−42 %),
    /// …"
    std::string verdict;
    /// The names of the two runs: "PAD=0" and "PAD=1".
    std::string before_name, after_name;
    /// Sentences on what limits the comparison: other sources, GPUs, samples, problem sizes.
    std::vector<std::string> cautions;

    const MetricChange& change(const Metric& metric) const;
};

Comparison compare(RunFacts before, RunFacts after);

/// Of the number alone, whatever its Metric::amount did.
Outcome outcome_alone(const MetricChange& change);

/// "−42 %", "+0.3 %"; empty where there is none.
std::string percent_words(const MetricChange& change);
/// "32 → 1", of a change with both values.
std::string arrow_words(const MetricChange& change);
/// The value as a table has it: "32,768"; seconds as "8.809 µs".
std::string plain_words(const Metric& metric, double value);
/// The value with its unit, or "none".
std::string value_words(const Metric& metric, const MetricFact& fact);

}  // namespace warplens::analysis
