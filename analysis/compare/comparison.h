// Comparison: two runs side by side — every metric with both values, which way it went and whether that is
// better — and one sentence on what changed most and what it did to the time. It computes no quantity itself:
// values are metrics.h's. It says where the two values of a metric come from different sources, and which
// values cannot be compared. How it is printed is comparison_printing.h's.
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
    differs,       // and neither way is better; so do parts of a breakdown
    incomparable,  // a side has no value, or the values are sums over different shares of the grid
};
std::string_view to_string(Outcome outcome);

struct MetricChange {
    const Metric* metric = nullptr;
    MetricFact before, after;
    Outcome outcome = Outcome::same;
    std::optional<double> difference;  // after - before; none: incomparable
    std::optional<double> percent;     // of before, +20 when it grew by a fifth; none also where before is 0

    bool mixes_sources() const { return before.provenance != after.provenance; }
};

struct Comparison {
    RunFacts before, after;
    std::vector<MetricChange> changes;  // in the order of metrics(), unchanged ones included

    /// What was set differently: "PAD 0 → 1", "matmul_naive → matmul_tiled"; empty: nothing of the launch.
    std::string settings;
    /// One line: "shared loads 32 → 1 wavefronts per request, 14,379 → 8,376 modelled cycles (−42 %), …"
    std::string verdict;
    /// What the two runs are called beside each other: "PAD=0" and "PAD=1".
    std::string before_name, after_name;
    /// Sentences on what limits the comparison: other sources, GPUs, samples, problem sizes.
    std::vector<std::string> cautions;

    const MetricChange& change(const Metric& metric) const;
};

Comparison compare(RunFacts before, RunFacts after);

/// "−42 %", "+0.3 %"; empty where there is none.
std::string percent_words(const MetricChange& change);
/// "32 → 1", of a change with both values.
std::string arrow_words(const MetricChange& change);
/// The value with its unit, or "none".
std::string value_words(const Metric& metric, const MetricFact& fact);

}  // namespace warplens::analysis
