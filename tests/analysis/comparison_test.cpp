// Two runs compared: what improved, the sentence, and what it must not hide.
#include "analysis/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/compare/comparison_printing.h"
#include "analysis/compare/regressions.h"
#include "analysis/report/launch_tree.h"

namespace warplens::analysis {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// 64 requests of `wavefronts` each, 4 blocks, modelled to take `cycles`.
LaunchReport run(std::uint32_t wavefronts, double cycles) {
    LaunchReport report;
    report.launch.kernel = "transpose";
    report.launch.gpu = "H200";
    report.launch.geometry.grid = {4, 1, 1};
    report.launch.parameters = {{"PAD", wavefronts > 1 ? "0" : "1"}};
    report.blocks_executed = 4;
    report.steps = 1000;
    report.active_lanes = 32000;
    report.shared_load = {.requests = 64,
                          .wavefronts = 64 * wavefronts,
                          .ideal_wavefronts = 64,
                          .worst_wavefronts = wavefronts};
    report.occupancy.theoretical = 1;
    report.schedule.emplace();
    report.schedule->launch.cycles = cycles;
    return report;
}

Comparison compared(const LaunchReport& before, const LaunchReport& after) {
    return compare(facts_of(before), facts_of(after));
}

const MetricChange& change(const Comparison& comparison, std::string_view name) {
    return comparison.change(*find_metric(name));
}

TEST(comparison, has_both_values_the_difference_and_which_way_is_better) {
    const Comparison padded = compared(run(32, 14379), run(1, 8376));
    const MetricChange& ways = change(padded, "shared_load.conflict_ways");
    EXPECT_EQ(ways.before.value, 32);
    EXPECT_EQ(ways.after.value, 1);
    EXPECT_EQ(ways.difference, -31);
    EXPECT_EQ(ways.outcome, Outcome::better);
    EXPECT_EQ(change(compared(run(1, 1), run(32, 1)), "shared_load.conflict_ways").outcome, Outcome::worse);
    EXPECT_EQ(change(padded, "steps").outcome, Outcome::same);
    EXPECT_EQ(change(padded, "shared_atomic.conflict_ways").outcome, Outcome::same);  // in neither
}

TEST(comparison, the_verdict_says_that_launched_grids_are_left_out) {
    LaunchReport before = run(4, 900), after = run(4, 500);
    const auto launching = [](std::size_t children) {
        auto tree = std::make_shared<LaunchTree>();
        tree->grids.resize(1 + children);
        return tree;
    };
    before.launches = launching(0);
    after.launches = launching(0);
    EXPECT_THAT(compared(before, after).verdict, Not(HasSubstr("launches")));
    after.launches = launching(3);
    EXPECT_THAT(compared(before, after).verdict,
                HasSubstr(", all without the 0 → 3 grids that device code launches"));
}

/// Chunks of a pipeline change its streams and no count of the kernel.
TEST(comparison, the_verdict_says_what_streams_take) {
    RunFacts before = facts_of(run(4, 900)), after = facts_of(run(4, 900));
    before.streams_us = 274.1;
    EXPECT_THAT(compare(before, after).verdict, StartsWith("no count changed")) << "only one declares them";
    after.streams_us = 319.74;
    EXPECT_THAT(
        compare(before, after).verdict,
        StartsWith("in streams 274 µs → 320 µs modelled (+17 %); the kernel in one launch: no count"));
    after.streams_us = 274;
    EXPECT_THAT(compare(before, after).verdict, StartsWith("in streams 274 µs modelled as before; "));
}

TEST(comparison, states_the_verdict_in_one_line) {
    const Comparison padded = compared(run(32, 14379), run(1, 8376));
    EXPECT_EQ(padded.settings, "PAD 0 → 1");
    EXPECT_EQ(padded.verdict,
              "shared loads 32 → 1 wavefronts per request, 14,379 → 8,376 modelled launch cycles (−42 %), "
              "occupancy "
              "unchanged");
    EXPECT_TRUE(padded.cautions.empty());
    EXPECT_THAT(compared(run(4, 900), run(4, 900)).verdict,
                StartsWith("no count changed, 900 modelled launch cycles"));
    EXPECT_THAT(compared(run(32, 1000), run(1, 1200)).verdict,
                HasSubstr(", but 1,000 → 1,200 modelled launch cycles"));
}

TEST(comparison, two_files_of_one_kernel_are_named) {
    RunFacts before = facts_of(run(4, 900)), after = before;
    before.name = "k.cu", after.name = "k.cubin";
    const Comparison comparison = compare(before, after);
    EXPECT_EQ(comparison.settings, "k.cu → k.cubin");
    EXPECT_EQ(comparison.before_name + comparison.after_name, "k.cuk.cubin");
}

TEST(comparison, the_last_bits_of_a_sum_are_no_change) {
    const Comparison comparison = compared(run(4, 900), run(4, 900.0000000000001));
    for (const MetricChange& change : comparison.changes) EXPECT_EQ(change.outcome, Outcome::same);
    const Comparison other = compared(run(4, 900), run(4, 901));
    EXPECT_TRUE(std::ranges::any_of(
        other.changes, [](const MetricChange& change) { return change.outcome == Outcome::worse; }));
}

TEST(comparison, names_the_sum_where_the_mean_does_not_explain_it) {
    LaunchReport more = run(4, 2000);
    more.shared_load.requests *= 8;
    more.shared_load.wavefronts *= 8;
    EXPECT_THAT(compared(run(4, 900), more).verdict, StartsWith("shared loads 256 → 2,048 wavefronts, "));
}

TEST(comparison, names_the_cause_of_the_time_before_what_changed_the_other_way) {
    LaunchReport staged = run(1, 400);
    staged.global_load = {.requests = 64, .sectors = 256, .ideal_sectors = 256};
    staged.shared_load.wavefronts = 6400;
    staged.shared_load.requests = 6400;
    LaunchReport direct = run(1, 900);
    direct.global_load = {.requests = 640, .sectors = 2560, .ideal_sectors = 2560};
    EXPECT_THAT(
        compared(direct, staged).verdict,
        StartsWith("global loads 2,560 → 256 sectors though shared loads 64 → 6,400 wavefronts, 900 → 400 "));
}

TEST(comparison, names_no_mean_that_went_the_other_way_than_its_sum) {
    LaunchReport narrow = run(1, 900), wide = run(1, 400);
    narrow.global_load = {.requests = 1000, .sectors = 1000, .ideal_sectors = 1000};
    wide.global_load = {.requests = 50, .sectors = 400, .ideal_sectors = 400};
    EXPECT_THAT(compared(narrow, wide).verdict, StartsWith("global loads 1,000 → 400 sectors, "));
}

TEST(comparison, a_mean_is_not_worse_where_the_amount_it_stands_for_did_not_grow) {
    // Four floats per lane: a quarter of the requests with four times the sectors each.
    const auto copy = [](std::uint64_t requests, std::uint64_t sectors) {
        LaunchReport report = run(1, 1000);
        report.global_load = {.requests = requests, .sectors = sectors, .ideal_sectors = sectors};
        return report;
    };
    const Comparison wider = compared(copy(64, 256), copy(16, 256));
    const MetricChange& each = change(wider, "global_load.sectors_per_request");
    EXPECT_EQ(each.percent, 300);
    EXPECT_EQ(each.outcome, Outcome::differs);
    EXPECT_EQ(outcome_alone(each), Outcome::worse);
    EXPECT_TRUE(regressions(wider, {{nullptr, 0}}).empty());
    EXPECT_EQ(regressions(wider, {{find_metric("global_load.sectors_per_request"), 0}}).size(), 1u);
    EXPECT_EQ(change(compared(copy(16, 256), copy(64, 256)), "global_load.sectors_per_request").outcome,
              Outcome::differs);

    const Comparison scattered = compared(copy(64, 256), copy(64, 2048));
    EXPECT_EQ(change(scattered, "global_load.sectors_per_request").outcome, Outcome::worse);
}

TEST(comparison, less_arithmetic_on_the_same_bytes_is_not_worse) {
    const auto computed = [](double flops) {
        LaunchReport report = run(1, 1000);
        report.roofline.emplace();
        report.roofline->flops = flops;
        report.roofline->dram_bytes_ideal = 1024;
        report.roofline->intensity = flops / 1024;
        return report;
    };
    const Comparison lean = compared(computed(4096), computed(1024));
    EXPECT_EQ(change(lean, "roofline.intensity").outcome, Outcome::differs);
    EXPECT_TRUE(regressions(lean, {{nullptr, 0}}).empty());
}

TEST(comparison, resources_are_worse_only_where_fewer_warps_fit) {
    const auto taking = [](std::uint32_t registers, std::uint32_t shared, double occupancy) {
        LaunchReport report = run(1, 1000);
        report.launch.resources.registers_per_thread = registers;
        report.launch.resources.shared_static_bytes = shared;
        report.occupancy.theoretical = occupancy;
        return report;
    };
    const Comparison free = compared(taking(12, 0, 1), taking(13, 2048, 1));
    EXPECT_EQ(change(free, "resources.registers_per_thread").outcome, Outcome::differs);
    EXPECT_EQ(change(free, "resources.shared_static_bytes").outcome, Outcome::differs);
    EXPECT_TRUE(regressions(free, {{nullptr, 0}}).empty());
    EXPECT_EQ(regressions(free, {{find_metric("resources.registers_per_thread"), 0}}).size(), 1u)
        << "named, it is a limit of its own";
    const Comparison costly = compared(taking(32, 0, 1), taking(40, 0, 0.75));
    EXPECT_EQ(change(costly, "resources.registers_per_thread").outcome, Outcome::worse);
    EXPECT_EQ(regressions(costly, {{nullptr, 2}}).size(), 2u) << "registers and occupancy";
}

TEST(comparison, every_amount_is_a_metric_of_which_less_is_better_or_the_occupancy) {
    for (const Metric& metric : metrics()) {
        if (metric.amount.empty()) continue;
        const Metric* amount = find_metric(metric.amount);
        ASSERT_NE(amount, nullptr) << metric.name;
        const bool of_resource = metric.name.starts_with("resources.");
        EXPECT_EQ(amount->name == "occupancy.theoretical", of_resource) << metric.name;
        EXPECT_EQ(amount->better, of_resource ? Better::more : Better::less) << metric.name;
        EXPECT_TRUE(amount->amount.empty()) << metric.name;
    }
    EXPECT_EQ(find_metric("shared_load.over_ideal")->amount, "shared_load.wavefronts");
    EXPECT_EQ(find_metric("global_atomic.sectors_per_request")->amount, "global_atomic.sectors");
    EXPECT_EQ(find_metric("shared_load.conflict_ways")->amount, "");
}

TEST(comparison, says_where_the_sides_come_from_different_sources) {
    LaunchReport on_gpu = run(1, 8376);
    on_gpu.launch.provenance = Provenance::measured;
    const Comparison mixed = compared(run(1, 8376), on_gpu);
    EXPECT_TRUE(change(mixed, "steps").mixes_sources());
    EXPECT_FALSE(change(mixed, "schedule.cycles").mixes_sources());
    EXPECT_THAT(mixed.verdict, HasSubstr("simulated by the CPU engine before, counted on a GPU after"));
    EXPECT_THAT(comparison_text(mixed), HasSubstr("The counts have different sources"));
}

TEST(comparison, the_verdict_says_where_the_runs_do_not_solve_the_same_problem) {
    LaunchReport large = run(1, 8376), small = run(1, 2100);
    large.roofline.emplace().dram_bytes_ideal = 8'388'608;
    small.roofline.emplace().dram_bytes_ideal = 4'194'304;
    EXPECT_THAT(compared(large, small).verdict, HasSubstr(", 8.4 MB → 4.2 MB of data touched"));
    EXPECT_THAT(compared(large, large).verdict, Not(HasSubstr("data")));
}

TEST(comparison, the_verdict_says_where_one_run_is_a_sample) {
    LaunchReport sample = run(1, 900);
    sample.blocks_executed = 1;
    EXPECT_THAT(compared(run(1, 800), sample).verdict, HasSubstr(", 1 of 4 blocks executed after"));
    EXPECT_THAT(compared(sample, run(1, 800)).verdict, HasSubstr(", 1 of 4 blocks executed before"));
    EXPECT_THAT(compared(sample, sample).verdict, Not(HasSubstr("blocks")));
    // A recording of few blocks: its time is extended from them, so that a difference may come from that.
    LaunchReport whole = run(1, 800), part = run(1, 900);
    whole.schedule->launch.blocks_on_sm = part.schedule->launch.blocks_on_sm = 8;
    whole.schedule->launch.blocks_modelled = 8;
    part.schedule->launch.blocks_modelled = 3;
    EXPECT_THAT(compared(whole, part).verdict, HasSubstr(", modelled from 3 of 8 blocks of an SM after"));
    EXPECT_THAT(compared(part, whole).verdict, HasSubstr(", modelled from 3 of 8 blocks of an SM before"));
    EXPECT_THAT(compared(part, part).verdict, Not(HasSubstr("blocks")));
}

TEST(comparison, puts_a_wrong_result_first) {
    LaunchReport wrong = run(1, 100);
    wrong.golden = "failed: element 7";
    EXPECT_THAT(compared(run(32, 14379), wrong).verdict, StartsWith("the result is now wrong, "));
}

TEST(comparison, has_no_difference_of_sums_over_different_shares_of_the_grid) {
    LaunchReport sample = run(4, 900);
    sample.blocks_executed = 1;
    const Comparison comparison = compared(run(4, 900), sample);
    EXPECT_EQ(change(comparison, "steps").outcome, Outcome::incomparable);
    EXPECT_FALSE(change(comparison, "steps").difference);
    EXPECT_EQ(change(comparison, "shared_load.wavefronts_per_request").outcome, Outcome::same);
    EXPECT_FALSE(check_same_basis(comparison.before, comparison.after));
    // The verdict estimates, and prints no digits that an estimate does not have.
    LaunchReport dense = run(4, 900);
    dense.shared_load = {};
    dense.global_load = {.requests = 900'000, .sectors = 2'097'152, .ideal_sectors = 900'000};
    sample.shared_load = {};
    sample.global_load = {.requests = 65'000, .sectors = 65'536, .ideal_sectors = 65'000};
    EXPECT_THAT(compared(dense, sample).verdict, HasSubstr("global loads about 2.1 M → 262 k sectors, "));
}

TEST(comparison, markdown_escapes_what_comes_from_files) {
    LaunchReport before = run(32, 2), after = run(1, 1);
    before.launch.kernel = "a|b<img>\n[x](y)";
    const std::string markdown = comparison_markdown(compared(before, after));
    EXPECT_THAT(markdown, AllOf(HasSubstr("a\\|b&lt;img&gt; \\[x\\](y)"), Not(HasSubstr("<img"))));
}

TEST(comparison, prints_seconds_in_microseconds) {
    LaunchReport before = run(1, 17441), after = run(1, 11213);
    before.schedule->seconds = 8.8086e-6;
    after.schedule->seconds = 5.6631e-6;
    const Comparison comparison = compared(before, after);
    EXPECT_THAT(comparison_markdown(comparison), HasSubstr("| `schedule.seconds` | 8.809 µs | 5.663 µs |"));
    EXPECT_THAT(comparison_text(comparison), HasSubstr("8.809 µs"));
    const auto worse = regressions(compared(after, before), {{find_metric("schedule.seconds"), 2}});
    ASSERT_EQ(worse.size(), 1u);
    EXPECT_THAT(worse[0].sentence, HasSubstr("5.663 µs in transpose, 8.809 µs now; at most 2 % is allowed"));
}

TEST(regressions, judge_what_has_a_better_direction_and_divides_no_whole) {
    const Comparison worse = compared(run(1, 1000), run(2, 1010));
    std::vector<std::string> names;
    for (const Regression& one : regressions(worse, {{nullptr, 2}})) names.push_back(one.metric->name);
    EXPECT_THAT(names, testing::ElementsAre("shared_load.wavefronts", "shared_load.conflict_ways",
                                            "shared_load.wavefronts_per_request", "shared_load.over_ideal"));
    EXPECT_EQ(regressions(worse, {{find_metric("schedule.cycles"), 0.5}}).size(), 1u);
    EXPECT_TRUE(regressions(worse, {{find_metric("schedule.cycles"), 1}}).empty());
    EXPECT_TRUE(regressions(compared(run(2, 1010), run(1, 1000)), {{nullptr, 0}}).empty());
}

}  // namespace
}  // namespace warplens::analysis
