// Finds the count that changed most. Counts of different units are ordered by the cycles that an SM needs for
// them at its best rate; these cycles decide only the order and are not printed.
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/compare/verdict.h"
#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

constexpr double cycles_per_wavefront = 1;
constexpr double cycles_per_sector = 0.5;  // 64 bytes per cycle between an SM and L2
constexpr double cycles_per_step = 0.25;   // four schedulers

struct Candidate {
    std::string total, mean;  // names of metrics; the mean describes the change where it explains it
    double cycles = 0;        // per unit of the total
    std::string subject;      // "shared loads"
    std::string mean_unit;    // "wavefronts per request"
};

std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    for (std::size_t kind = 0; kind < access_kind_count; ++kind) {
        const std::string name(access_kind_name(kind));
        std::string subject = name + "s";
        std::ranges::replace(subject, '_', ' ');
        for (const auto& [unit, cycles] :
             {std::pair{"sectors", cycles_per_sector}, std::pair{"wavefronts", cycles_per_wavefront}}) {
            const std::string total = fmt::format("{}.{}", name, unit);
            if (find_metric(total))
                all.push_back(
                    {total, total + "_per_request", cycles, subject, fmt::format("{} per request", unit)});
        }
    }
    all.push_back({"steps", "divergence.mean_active_lanes", cycles_per_step, "", "active lanes on average"});
    return all;
}

/// |ln(after : before)|; infinite if the count was or became 0.
double relative_change(double before, double after) {
    if (before == after) return 0;
    if (before <= 0 || after <= 0) return HUGE_VAL;
    return std::abs(std::log(after / before));
}

/// Scaled to the whole grid if only some blocks were executed, so that samples can be ordered, too.
double scaled(const MetricFact& fact, const RunFacts& run) {
    if (!fact.value || run.blocks_executed == 0) return 0;
    return *fact.value * static_cast<double>(run.grid.count()) / static_cast<double>(run.blocks_executed);
}

/// "about 2.1 M → 262 k sectors": scaled from samples; an absence is exact as far as the sample goes.
std::string estimate_words(double before, double after, const std::string& unit) {
    std::string last = with_prefix(after, unit);
    // The prefix is the number's: "262 k sectors", and not "262 ksectors".
    const auto split = [&](std::string words) {
        const auto at = words.rfind(unit);
        if (at != std::string::npos && at > 0 && words[at - 1] != ' ') words.insert(at, " ");
        return words;
    };
    std::string first = split(with_prefix(before, unit));
    first.erase(first.rfind(' '));
    return fmt::format("{}{} → {}{}", before == 0 ? "" : "about ", first, before == 0 ? "about " : "",
                       split(std::move(last)));
}

/// Uses the mean if it accounts for at least half of the change of the sum.
std::string words_of(const Candidate& candidate, const Comparison& comparison, double total_change) {
    const Metric& total = *find_metric(candidate.total);
    const Metric& mean = *find_metric(candidate.mean);
    const MetricChange &of_mean = comparison.change(mean), &of_total = comparison.change(total);
    const std::string subject = candidate.subject.empty() ? "" : candidate.subject + " ";
    // A mean may rise while the sum falls; then it is not the cause of the sum's change.
    const bool lighter =
        scaled(of_total.after, comparison.after) < scaled(of_total.before, comparison.before);
    const bool agrees =
        of_mean.difference && (*of_mean.difference < 0) == (lighter == (mean.better == Better::less));
    if (agrees && relative_change(*of_mean.before.value, *of_mean.after.value) >= total_change / 2)
        return fmt::format("{}{} {}", subject, arrow_words(of_mean), candidate.mean_unit);
    if (!of_total.difference)  // samples of different shares
        return subject + estimate_words(scaled(of_total.before, comparison.before),
                                        scaled(of_total.after, comparison.after), total.unit);
    return fmt::format("{}{} {}", subject, arrow_words(of_total), total.unit);
}

}  // namespace

std::optional<MainChange> main_change(const Comparison& comparison, std::optional<bool> lighter) {
    constexpr double least_change = 0.005;
    std::optional<MainChange> main;
    double most = 0;
    for (const Candidate& candidate : candidates()) {
        const MetricChange& total = comparison.change(*find_metric(candidate.total));
        const double before = scaled(total.before, comparison.before);
        const double after = scaled(total.after, comparison.after);
        const double change = relative_change(before, after);
        const double cycles = std::abs(after - before) * candidate.cycles;
        if (change < least_change || cycles <= most) continue;
        if (lighter && *lighter != (after < before)) continue;
        most = cycles;
        main = MainChange{words_of(candidate, comparison, change), after < before};
    }
    return main;
}

}  // namespace warplens::analysis
