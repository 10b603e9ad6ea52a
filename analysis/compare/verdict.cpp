#include "analysis/compare/verdict.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/time/activity_report.h"
#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

constexpr double negligible = 0.005;  // relative change that a sentence does not mention

std::string_view counted_by(const RunFacts& run) {
    return run.counted == Provenance::measured ? "counted on a GPU" : "simulated by the CPU engine";
}

const MetricChange& named(const Comparison& comparison, std::string_view name) {
    return comparison.change(*find_metric(name));
}

bool changed(const MetricChange& change) {
    return change.percent ? std::abs(*change.percent) > 100 * negligible : change.difference.value_or(0) != 0;
}

/// Distinct bytes of global memory, as a measure of the problem size.
std::optional<double> touched(const RunFacts& run) {
    return run.fact(*find_metric("roofline.dram_bytes_ideal")).value;
}

bool touch_unlike_data(const RunFacts& before, const RunFacts& after) {
    const auto a = touched(before), b = touched(after);
    return a && b && std::abs(*b - *a) > negligible * std::max(*a, *b);
}

/// "14,379 → 8,376 modelled launch cycles (−42 %)"
std::string time_words(const MetricChange& change, std::string_view unit) {
    if (!change.difference) return {};
    const std::string before = metric_value(*change.before.value), after = metric_value(*change.after.value);
    if (before == after) return fmt::format("{} {} as before", after, unit);
    return fmt::format("{} {} ({})", arrow_words(change), unit, percent_words(change));
}

std::string microseconds_words(const MetricChange& seconds) {
    if (!seconds.difference) return {};
    return fmt::format("{} → {} µs modelled ({})", rounded(*seconds.before.value * 1e6),
                       rounded(*seconds.after.value * 1e6), percent_words(seconds));
}

std::string occupancy_words(const MetricChange& occupancy) {
    if (!occupancy.difference) return {};
    if (*occupancy.difference == 0) return "occupancy unchanged";
    return fmt::format("occupancy {} → {}", percent(*occupancy.before.value),
                       percent(*occupancy.after.value));
}

/// "786 kB → 197 kB of data touched": the runs do not solve the same problem, so less is not better.
std::string data_words(const RunFacts& before, const RunFacts& after) {
    if (!touch_unlike_data(before, after)) return {};
    return fmt::format("{} → {} of data touched", with_prefix(*touched(before), "B", "bytes"),
                       with_prefix(*touched(after), "B", "bytes"));
}

/// "modelled from 3 of 8 blocks of an SM after", else "3 of 1,024 blocks executed after": one run is whole
/// and the other a sample, which the model or the reader extends.
std::string sample_words(const RunFacts& before, const RunFacts& after) {
    if (before.models_whole_sm() != after.models_whole_sm()) {
        const RunFacts& part = before.models_whole_sm() ? after : before;
        return fmt::format("modelled from {} of {} blocks of an SM {}", grouped(part.blocks_modelled),
                           grouped(part.blocks_on_sm), &part == &before ? "before" : "after");
    }
    if (before.complete() == after.complete()) return {};
    const RunFacts& sample = before.complete() ? after : before;
    return fmt::format("{} of {} blocks executed {}", grouped(sample.blocks_executed),
                       grouped(sample.grid.count()), &sample == &before ? "before" : "after");
}

/// "in streams 274 µs → 320 µs modelled (+17 %)": copies and launches of the fastest way that is declared.
std::string streams_words(const RunFacts& before, const RunFacts& after) {
    if (!before.streams_us || !after.streams_us || *before.streams_us <= 0) return {};
    const std::string was = microseconds(*before.streams_us), now = microseconds(*after.streams_us);
    if (was == now) return fmt::format("in streams {} modelled as before", now);
    return fmt::format("in streams {} → {} modelled ({})", was, now,
                       signed_percent((*after.streams_us / *before.streams_us - 1) * 100));
}

/// A run with wrong results is not better, even if it is faster.
std::string faults_of(const Comparison& comparison) {
    const auto failed = [](const RunFacts& run) { return run.golden.starts_with("failed"); };
    if (failed(comparison.after) && !failed(comparison.before)) return "the result is now wrong";
    if (failed(comparison.before) && !failed(comparison.after)) return "the result is now right";
    const MetricChange& problems = named(comparison, "problems");
    if (!problems.difference || *problems.difference == 0) return {};
    return fmt::format("{} problems", arrow_words(problems));
}

}  // namespace

std::string differing_settings(const RunFacts& before, const RunFacts& after) {
    std::vector<std::string> words;
    if (before.kernel != after.kernel) words.push_back(fmt::format("{} → {}", before.kernel, after.kernel));
    for (const auto& [name, value] : before.parameters)
        if (const auto other = after.parameters.find(name);
            other != after.parameters.end() && other->second != value)
            words.push_back(fmt::format("{} {} → {}", name, value, other->second));
    if (words.empty() && before.block != after.block)
        words.push_back(fmt::format("block {} → {}", to_string(before.block), to_string(after.block)));
    if (words.empty() && before.grid != after.grid)
        words.push_back(fmt::format("grid {} → {}", to_string(before.grid), to_string(after.grid)));
    if (before.gpu != after.gpu) words.push_back(fmt::format("{} → {}", before.gpu, after.gpu));
    if (before.counted != after.counted)
        words.push_back(before.counted == Provenance::simulated ? "CPU engine → GPU" : "GPU → CPU engine");
    const bool are_files = before.name != before.kernel && after.name != after.kernel;
    if (words.empty() && are_files && before.name != after.name)
        words.push_back(fmt::format("{} → {}", before.name, after.name));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> cautions_of(const RunFacts& before, const RunFacts& after) {
    std::vector<std::string> words;
    if (before.counted != after.counted)
        words.push_back(fmt::format("The counts have different sources: {} before, {} after.",
                                    counted_by(before), counted_by(after)));
    if (before.gpu != after.gpu)
        words.push_back(
            fmt::format("The GPUs differ: times and occupancy are of the {} before and the {} after.",
                        before.gpu, after.gpu));
    const auto times_before = before.level_of_times(), times_after = after.level_of_times();
    if (times_before && times_after && times_before != times_after)
        words.push_back(
            fmt::format("The times are modelled from {} before and from {} after: they are not "
                        "compared.",
                        code_of_level(*times_before), code_of_level(*times_after)));
    for (const RunFacts* run : {&before, &after})
        if (!run->complete())
            words.push_back(fmt::format("Only {} of {} blocks were executed {}.",
                                        grouped(run->blocks_executed), grouped(run->grid.count()),
                                        run == &before ? "before" : "after"));
    if (before.launched_grids + after.launched_grids > 0)
        words.push_back(
            fmt::format("All numbers are of the grid that the host launches, without the grids that device "
                        "code launches: {} with {} before, {} with {} after.",
                        counted(before.launched_grids, "grid"), counted(before.launched_steps, "warp-step"),
                        counted(after.launched_grids, "grid"), counted(after.launched_steps, "warp-step")));
    if (touch_unlike_data(before, after))
        words.push_back(fmt::format("The runs touch different amounts of data: {} before, {} after.",
                                    with_prefix(*touched(before), "B", "bytes"),
                                    with_prefix(*touched(after), "B", "bytes")));
    return words;
}

std::string verdict_of(const Comparison& comparison) {
    std::vector<std::string> parts;
    if (std::string faults = faults_of(comparison); !faults.empty()) parts.push_back(std::move(faults));
    // Cycles of two GPUs are different times.
    const MetricChange& cycles = named(comparison, "schedule.cycles");
    const MetricChange& seconds = named(comparison, "schedule.seconds");
    const bool one_clock = comparison.before.gpu == comparison.after.gpu;
    const MetricChange& measured = named(comparison, "perturbation.clean_us");
    const std::string modelled_words =
        one_clock ? time_words(cycles, "modelled launch cycles") : microseconds_words(seconds);
    const std::string measured_words = time_words(measured, "µs measured");
    const bool has_time = !modelled_words.empty() || !measured_words.empty();
    const MetricChange& time = one_clock ? cycles : seconds;
    const bool slower = time.difference && changed(time) && *time.difference > 0;
    const bool faster = time.difference && changed(time) && *time.difference < 0;
    const auto main = main_change(comparison);
    // The cause of the faster or slower time comes first, followed by the largest change in the other
    // direction.
    const bool against = main && ((main->lighter && slower) || (!main->lighter && faster));
    const auto cause = against ? main_change(comparison, !main->lighter) : main;
    if (cause) parts.push_back(cause->words + (against ? " though " + main->words : ""));
    else if (main) parts.push_back(main->words);
    if (!measured_words.empty()) parts.push_back(measured_words);
    if (!modelled_words.empty())
        parts.push_back((against && !cause && measured_words.empty() ? "but " : "") + modelled_words);
    if (!has_time) parts.emplace_back("no time of both runs");
    if (!main && !(slower || faster)) parts.insert(parts.begin(), "no count changed");
    if (std::string words = occupancy_words(named(comparison, "occupancy.theoretical")); !words.empty())
        parts.push_back(std::move(words));
    for (auto* limit : {data_words, sample_words})
        if (std::string words = limit(comparison.before, comparison.after); !words.empty())
            parts.push_back(std::move(words));
    const std::uint64_t grids_before = comparison.before.launched_grids,
                        grids_after = comparison.after.launched_grids;
    if (grids_before + grids_after > 0)
        parts.push_back(
            fmt::format("all without the {} that device code launches",
                        grids_before == grids_after
                            ? counted(grids_after, "grid")
                            : fmt::format("{} → {} grids", grouped(grids_before), grouped(grids_after))));
    if (comparison.before.counted != comparison.after.counted)
        parts.push_back(
            fmt::format("{} before, {} after", counted_by(comparison.before), counted_by(comparison.after)));
    const std::string words = fmt::format("{}", fmt::join(parts, ", "));
    const std::string streams = streams_words(comparison.before, comparison.after);
    return streams.empty() ? words : fmt::format("{}; the kernel in one launch: {}", streams, words);
}

}  // namespace warplens::analysis
