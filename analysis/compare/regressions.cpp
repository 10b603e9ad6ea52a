#include "analysis/compare/regressions.h"

#include <algorithm>
#include <cmath>

#include "analysis/wording.h"
#include "core/number_text.h"

namespace warplens::analysis {
namespace {

/// A part of a breakdown shrinks when another grows.
bool is_judged(const Metric& metric) {
    return metric.better != Better::neither && metric.kind != MetricKind::breakdown;
}

const WorseLimit* limit_of(const Metric& metric, const std::vector<WorseLimit>& limits) {
    const auto own = std::ranges::find(limits, &metric, &WorseLimit::metric);
    if (own != limits.end()) return &*own;
    if (!is_judged(metric)) return nullptr;
    const auto general = std::ranges::find(limits, nullptr, &WorseLimit::metric);
    return general == limits.end() ? nullptr : &*general;
}

std::string percent_allowed(double percent) {
    return percent == 0 ? "no regression is allowed"
                        : fmt::format("at most {} % is allowed", rounded(percent));
}

std::string why_incomparable(const MetricChange& change) {
    if (!change.before.value) return change.before.absent;
    if (!change.after.value) return change.after.absent;
    return fmt::format("it is {} there and {} here",
                       source_words(change.before.provenance, change.before.level),
                       source_words(change.after.provenance, change.after.level));
}

}  // namespace

Result<WorseLimit> parse_worse_limit(std::string_view text) {
    WorseLimit limit;
    std::string_view digits = text;
    if (const auto equals = text.find('='); equals != std::string_view::npos) {
        const std::string name(text.substr(0, equals));
        limit.metric = find_metric(name);
        if (!limit.metric)
            return fail("--max-worse {}: `{}` is not a metric; docs/metrics.md lists them", text, name);
        if (!is_judged(*limit.metric))
            return fail("--max-worse {}: neither direction of {} is better, so it cannot get worse", text,
                        name);
        digits.remove_prefix(equals + 1);
    }
    if (digits.ends_with('%')) digits.remove_suffix(1);
    const auto percent = number_from<double>(digits);
    if (!percent || !std::isfinite(*percent) || *percent < 0)
        return fail("--max-worse {}: a percentage of at least 0 is needed, as 2% or schedule.cycles=2%",
                    text);
    limit.percent = *percent;
    return limit;
}

std::vector<Regression> regressions(const Comparison& comparison, const std::vector<WorseLimit>& limits) {
    std::vector<Regression> found;
    for (const MetricChange& change : comparison.changes) {
        const Metric& metric = *change.metric;
        const WorseLimit* limit = limit_of(metric, limits);
        if (!limit) continue;
        if (!change.difference && limit->metric) {
            found.push_back({&metric, fmt::format("{} cannot be compared with {}: {}", metric.name,
                                                  comparison.before.name, why_incomparable(change))});
        }
        if ((limit->metric ? outcome_alone(change) : change.outcome) != Outcome::worse) continue;
        if (change.percent && std::abs(*change.percent) <= limit->percent) continue;
        const std::string by =
            change.percent
                ? " by " + percent_words(change).substr(*change.percent < 0 ? std::string("−").size() : 1)
                : "";
        found.push_back(
            {&metric, fmt::format("{} got worse{}: {} in {}, {} now; {}", metric.name, by,
                                  plain_words(metric, *change.before.value), comparison.before.name,
                                  value_words(metric, change.after), percent_allowed(limit->percent))});
    }
    return found;
}

Status check_same_basis(const RunFacts& before, const RunFacts& after) {
    const auto differ = [&](std::string_view what, const std::string& there, const std::string& here) {
        return fail("{} is of {} {}, and this run of {}: they cannot be compared", before.name, what, there,
                    here);
    };
    if (before.kernel != after.kernel) return differ("the kernel", before.kernel, after.kernel);
    if (before.gpu != after.gpu) return differ("the GPU", before.gpu, after.gpu);
    if (before.counted != after.counted)
        return differ("counts", std::string(to_string(before.counted)),
                      std::string(to_string(after.counted)));
    const Metric& steps = *find_metric("steps");
    if (const Level there = before.fact(steps).level, here = after.fact(steps).level; there != here)
        return differ("counts", fmt::format("at {}", to_string(there)),
                      fmt::format("counts at {}", to_string(here)));
    if (before.complete() != after.complete() ||
        (!before.complete() && before.blocks_executed != after.blocks_executed))
        return fail("{} is of {} of {} blocks, and this run of {} of {}: give both the same --blocks",
                    before.name, grouped(before.blocks_executed), grouped(before.grid.count()),
                    grouped(after.blocks_executed), grouped(after.grid.count()));
    return {};
}

}  // namespace warplens::analysis
