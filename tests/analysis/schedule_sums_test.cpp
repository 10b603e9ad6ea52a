#include "analysis/time/schedule_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/synthetic_schedule.h"

namespace warplens::analysis {
namespace {

/// Blocks that follow one another in few slots, so that rows have gaps and several warps.
std::shared_ptr<const trace::Schedule> example(const trace::ExampleShape& shape = {24, 96, 5}) {
    return std::make_shared<trace::Schedule>(
        trace::make_example_schedule(trace::make_example(shape), {.slots_per_scheduler = 3}));
}

/// A slot's states in a range, cycle by cycle.
ByWarpState<std::uint32_t> counted(const trace::Schedule& schedule, const SlotRow& row, CycleRange range) {
    ByWarpState<std::uint32_t> states;
    for (const trace::ScheduledWarp& warp : schedule.warps)
        if (warp.scheduler == row.scheduler && warp.slot == row.slot)
            for (std::uint32_t c = std::max(range.begin, warp.arrival);
                 c < std::min(range.end, warp.departure); ++c)
                ++states[trace::span_at(schedule, warp, c)->state()];
    return states;
}

TEST(schedule_sums, a_row_is_a_slot_with_its_warps_in_order) {
    const auto schedule = example();
    const ScheduleSums sums(schedule);
    std::size_t warps = 0;
    for (const SlotRow& row : sums.rows()) {
        warps += row.warps.size();
        for (std::size_t i = 0; i < row.warps.size(); ++i) {
            const trace::ScheduledWarp& warp = schedule->warps[row.warps[i]];
            EXPECT_EQ(warp.scheduler, row.scheduler);
            EXPECT_EQ(warp.slot, row.slot);
            if (i == 0) continue;
            EXPECT_GE(warp.arrival, schedule->warps[row.warps[i - 1]].departure);
        }
    }
    EXPECT_EQ(warps, schedule->warps.size());
    EXPECT_EQ(sums.cycles(), schedule->totals.cycles);
}

TEST(schedule_sums, any_range_of_any_row_equals_a_count_cycle_by_cycle) {
    const auto schedule = example();
    for (const std::uint32_t spans_per_bin : {1u, 16u, 1000u}) {
        const ScheduleSums sums(schedule, spans_per_bin);
        std::mt19937 random(spans_per_bin);
        for (int i = 0; i < 300; ++i) {
            const std::size_t row = random() % sums.rows().size();
            std::uint32_t begin = random() % (sums.cycles() + 20), end = random() % (sums.cycles() + 20);
            if (begin > end) std::swap(begin, end);
            EXPECT_EQ(sums.states(row, {begin, end}), counted(*schedule, sums.rows()[row], {begin, end}))
                << "row " << row << ", " << begin << " to " << end;
        }
    }
}

TEST(schedule_sums, sums_over_the_rows_are_those_of_the_stalls) {
    const auto schedule = example();
    const ScheduleSums sums(schedule);
    EXPECT_EQ(sums.summarise({}).states, schedule->totals.states);
    for (const CycleRange range : {CycleRange{}, CycleRange{0, 1}, CycleRange{17, 900}, CycleRange{400, 401},
                                   CycleRange{sums.cycles() - 3, sums.cycles() + 50}, CycleRange{5, 5}}) {
        const StallSummary mine = sums.summarise(range), theirs = summarise(*schedule, range);
        EXPECT_EQ(mine.cycles, theirs.cycles);
        EXPECT_EQ(mine.warp_cycles, theirs.warp_cycles);
        EXPECT_EQ(mine.states, theirs.states);
        EXPECT_EQ(mine.issued, theirs.issued);
        EXPECT_EQ(mine.issue_slots, theirs.issue_slots);
        EXPECT_EQ(mine.eligible_cycles, theirs.eligible_cycles);
    }
}

TEST(schedule_sums, columns_are_shares_and_lose_nothing) {
    const auto schedule = example();
    const ScheduleSums sums(schedule, 4);
    const auto whole = static_cast<double>(sums.cycles());
    // Longer than a bin, shorter than a bin, shorter than a cycle; beginning before and ending after.
    struct Case {
        double begin, end;
        std::size_t columns;
    };
    for (const Case& c : {Case{0, whole, 7}, Case{0, whole, 500}, Case{-100, whole + 300, 64},
                          Case{200, 264, 640}, Case{301.5, 307.25, 23}}) {
        for (std::size_t row = 0; row < sums.rows().size(); ++row) {
            std::vector<ByWarpState<float>> columns(c.columns);
            sums.columns(row, c.begin, c.end, columns);
            const double width = (c.end - c.begin) / static_cast<double>(c.columns);
            ByWarpState<double> total;
            for (const auto& column : columns) {
                double share = 0;
                for (std::size_t s = 0; s < warp_state_count; ++s) {
                    EXPECT_GE(column.values[s], -1e-4);
                    share += column.values[s];
                    total.values[s] += column.values[s] * width;
                }
                EXPECT_LE(share, 1 + 1e-3);
            }
            if (c.begin != std::floor(c.begin) || c.end != std::floor(c.end)) continue;
            const auto exact = sums.states(
                row, {static_cast<std::uint32_t>(std::max(c.begin, 0.0)), static_cast<std::uint32_t>(c.end)});
            // Columns wider than a bin may begin and end inside one.
            const double near = width >= sums.bin_cycles() ? 2.0 * sums.bin_cycles() : 0.01;
            for (std::size_t s = 0; s < warp_state_count; ++s)
                EXPECT_NEAR(total.values[s], exact.values[s], near);
        }
    }
}

TEST(schedule_sums, zoomed_in_each_column_of_a_cycle_has_the_state_of_that_cycle) {
    const auto schedule = example();
    const ScheduleSums sums(schedule);
    constexpr std::uint32_t begin = 333, cycles = 40;
    for (std::size_t row = 0; row < sums.rows().size(); ++row) {
        std::vector<ByWarpState<float>> columns(cycles);
        sums.columns(row, begin, begin + cycles, columns);
        for (std::uint32_t c = 0; c < cycles; ++c) {
            const std::uint32_t warp = sums.warp_at(row, begin + c);
            if (warp == no_index) {
                EXPECT_EQ(columns[c], ByWarpState<float>{});
                continue;
            }
            const auto* span = trace::span_at(*schedule, schedule->warps[warp], begin + c);
            EXPECT_NEAR(columns[c][span->state()], 1, 1e-4) << "row " << row << " cycle " << begin + c;
        }
    }
}

TEST(schedule_sums, the_spans_of_a_range_are_all_that_meet_it) {
    const auto schedule = example();
    const ScheduleSums sums(schedule);
    for (const CycleRange range : {CycleRange{0, 50}, CycleRange{700, 1100}, CycleRange{0, no_index}}) {
        for (std::size_t row = 0; row < sums.rows().size(); ++row) {
            std::size_t met = 0, expected = 0;
            sums.for_each_span(row, range,
                               [&](std::uint32_t warp, const auto& span, std::uint32_t b, std::uint32_t e) {
                                   EXPECT_EQ(b, span.begin);
                                   EXPECT_EQ(e, trace::end_of(*schedule, schedule->warps[warp], span));
                                   ++met;
                               });
            for (const std::uint32_t warp : sums.rows()[row].warps)
                for (const auto& span : trace::spans_of(*schedule, schedule->warps[warp]))
                    expected += span.begin < range.end &&
                                trace::end_of(*schedule, schedule->warps[warp], span) > range.begin;
            EXPECT_EQ(met, expected);
            EXPECT_GE(sums.span_count(row, range), expected);
            EXPECT_LE(sums.span_count(row, range), expected + 2 * sums.bin_cycles());
        }
    }
}

TEST(schedule_sums, a_schedule_of_nothing_has_no_rows) {
    const ScheduleSums sums(std::make_shared<trace::Schedule>());
    EXPECT_TRUE(sums.rows().empty());
    EXPECT_EQ(sums.summarise({}).warp_cycles, 0u);
}

}  // namespace
}  // namespace warplens::analysis
