#include "analysis/time/exposed_cost.h"

#include <gtest/gtest.h>

#include "tests/analysis/small_schedule.h"
#include "tests/analysis/small_trace.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/query.h"

namespace warplens::analysis {
namespace {

using enum WarpState;

/// Two warps that execute sites 0, 1, 2 once each: step i is site i.
trace::Trace three_steps() {
    SmallTrace small({SmallTrace::memory_site(Space::global, Operation::load, 4, 1),
                      SmallTrace::plain_site(2), SmallTrace::plain_site(3)});
    for (int warp = 0; warp < 2; ++warp)
        for (BasicBlockId block = 0; block < 3; ++block) small.visit(warp, block, LaneMask::all());
    return small.record();
}

TEST(exposed_cost, a_lone_warps_wait_is_charged_to_the_load_it_waits_for) {
    SmallSchedule small;
    small.warp(0, 0,
               {{selected, 1, 0, 0}, {long_scoreboard, 5, 1, 1, 0}, {selected, 1, 1, 1}, {wait, 3, 2, 2}});
    const ExposedCost cost = exposed_cost(three_steps(), small.take());
    ASSERT_EQ(cost.sites.size(), 3u);
    EXPECT_EQ(cost.issue_slots, 10u);
    EXPECT_EQ(cost.empty_slots, 8u);
    EXPECT_EQ(cost.sites[0].issues, 1u);
    EXPECT_EQ(cost.sites[0].waited, 5u);
    EXPECT_DOUBLE_EQ(cost.sites[0].exposed, 5);
    EXPECT_EQ(cost.sites[1].waited, 0u) << "what waits is not what is waited for";
    EXPECT_EQ(cost.sites[2].waited, 3u) << "without a cause the instruction itself is charged";
    EXPECT_DOUBLE_EQ(cost.sites[2].exposed, 3);
}

TEST(exposed_cost, a_wait_that_another_warp_covers_exposes_nothing) {
    SmallSchedule small;
    small.warp(0, 0, {{selected, 1, 0, 0}, {long_scoreboard, 4, 1, 1, 0}, {selected, 1, 1, 1}});
    small.warp(0, 1, {{selected, 4, 2, 2}});
    const ExposedCost cost = exposed_cost(three_steps(), small.take());
    EXPECT_EQ(cost.sites[0].waited, 4u);
    EXPECT_DOUBLE_EQ(cost.sites[0].exposed, 0);
    EXPECT_EQ(cost.empty_slots, 0u);
}

TEST(exposed_cost, another_schedulers_issues_cover_nothing) {
    SmallSchedule small(2);
    small.warp(0, 0, {{selected, 1, 0, 0}, {long_scoreboard, 4, 1, 1, 0}, {selected, 1, 1, 1}});
    small.warp(1, 1, {{selected, 4, 2, 2}});
    const ExposedCost cost = exposed_cost(three_steps(), small.take());
    EXPECT_DOUBLE_EQ(cost.sites[0].exposed, 4);
    EXPECT_EQ(cost.empty_slots, 4u) << "slots with no warp resident are nobody's";
}

TEST(exposed_cost, an_empty_slot_is_split_among_the_warps_that_sit_on_it) {
    SmallSchedule small;
    small.warp(0, 0, {{selected, 1, 0, 0}, {long_scoreboard, 6, 1, 1, 0}, {selected, 1, 1, 1}});
    small.warp(0, 3, {{barrier, 2, 2, 2}, {selected, 1, 2, 2}});
    const ExposedCost cost = exposed_cost(three_steps(), small.take());
    EXPECT_EQ(cost.empty_slots, 5u);  // cycles 1, 2, 3, 4 and 6; at 5 the second warp issues
    EXPECT_DOUBLE_EQ(cost.sites[0].exposed, 4);
    EXPECT_DOUBLE_EQ(cost.sites[2].exposed, 1);
}

TEST(exposed_cost, it_is_put_in_words_with_its_numbers) {
    EXPECT_EQ(
        cost_in_words({3, 12'345, 2'300.4}, Level::ptx),
        "Warps of one SM waited 12,345 cycles for it and left 2,300 issue slots empty, with nothing else "
        "to issue (modelled, PTX level).");
    EXPECT_EQ(cost_in_words({1, 1, 0}, Level::machine),
              "Warps of one SM waited 1 cycle for it, all hidden by other warps (modelled, machine level).");
    EXPECT_EQ(cost_in_words({5, 0, 0}, Level::ptx), "");
}

TEST(exposed_cost, costs_of_machine_instructions_go_to_the_ptx_they_were_made_of) {
    const auto program = [](std::vector<std::pair<std::uint32_t, std::uint32_t>> lines) {
        Program made;
        made.sources = {{"kernel.cu", ""}};
        for (const auto& [ptx_line, line] : lines) {
            Site& site = made.sites.emplace_back();
            site.ptx_line = ptx_line;
            site.line = line;
            site.file = 0;
        }
        return made;
    };
    const Program ptx = program({{10, 1}, {11, 1}, {12, 2}});
    // Two of one PTX line, one with the source line only, one of which nothing is known.
    const Program machine = program({{11, 1}, {11, 1}, {0, 2}, {0, 0}});
    const ExposedCost carried =
        cost_by_ptx({{{1, 10, 2}, {1, 20, 3}, {1, 5, 1}, {1, 7, 4}}, 10, 16}, machine, ptx);
    EXPECT_EQ(carried.issue_slots, 16u);
    ASSERT_EQ(carried.sites.size(), 3u);
    EXPECT_EQ(carried.sites[0].waited, 0u);
    EXPECT_EQ(carried.sites[1].issues, 2u);
    EXPECT_EQ(carried.sites[1].waited, 30u);
    EXPECT_DOUBLE_EQ(carried.sites[1].exposed, 5);
    EXPECT_EQ(carried.sites[2].waited, 5u);
}

TEST(exposed_cost, a_schedule_of_totals_alone_has_none) {
    trace::Schedule schedule = make_example_schedule(three_steps());
    schedule.spans.clear();
    for (trace::ScheduledWarp& warp : schedule.warps) warp.spans_begin = warp.spans_end = 0;
    const ExposedCost cost = exposed_cost(three_steps(), schedule);
    EXPECT_EQ(cost.sites.size(), 3u);
    EXPECT_EQ(cost.empty_slots, 0u);
}

/// Cycle by cycle, warp by warp.
ExposedCost the_slow_way(const trace::Trace& trace, const trace::Schedule& schedule) {
    ExposedCost cost;
    cost.sites.resize(trace.program.sites.size());
    cost.issue_slots = schedule.totals.issue_slots;
    const trace::RecordedSites recorded(trace.program);
    std::vector<trace::WarpSteps> steps;
    for (const trace::ScheduledWarp& warp : schedule.warps)
        steps.emplace_back(trace, recorded, trace.warps[warp.warp_record]);
    for (int scheduler = 0; scheduler < schedule.schedulers; ++scheduler) {
        for (std::uint32_t cycle = 0; cycle < schedule.totals.cycles; ++cycle) {
            std::vector<std::pair<std::size_t, const trace::StateSpan*>> sitting;
            bool issued = false;
            for (std::size_t i = 0; i < schedule.warps.size(); ++i) {
                const trace::ScheduledWarp& warp = schedule.warps[i];
                if (warp.scheduler != scheduler) continue;
                if (const auto* span = trace::span_at(schedule, warp, cycle)) {
                    sitting.emplace_back(i, span);
                    issued = issued || span->state() == selected;
                }
            }
            if (!issued && !sitting.empty()) ++cost.empty_slots;
            for (const auto& [warp, span] : sitting) {
                const bool waits = span->state() != selected && span->state() != not_selected;
                const SiteId site =
                    waits && span->cause != no_index ? steps[warp].at(span->cause).site : span->site();
                if (span->state() == selected) ++cost.sites[site].issues;
                if (waits) ++cost.sites[site].waited;
                if (!issued) cost.sites[site].exposed += 1.0 / double(sitting.size());
            }
        }
    }
    return cost;
}

void expect_same(const trace::Trace& trace, const trace::Schedule& schedule) {
    const ExposedCost cost = exposed_cost(trace, schedule);
    const ExposedCost slow = the_slow_way(trace, schedule);
    EXPECT_EQ(cost.empty_slots, slow.empty_slots);
    EXPECT_EQ(cost.issue_slots, slow.issue_slots);
    ASSERT_EQ(cost.sites.size(), slow.sites.size());
    double sum = 0;
    std::uint64_t waited = 0, issues = 0;
    for (std::size_t site = 0; site < cost.sites.size(); ++site) {
        EXPECT_EQ(cost.sites[site].issues, slow.sites[site].issues) << site;
        EXPECT_EQ(cost.sites[site].waited, slow.sites[site].waited) << site;
        EXPECT_NEAR(cost.sites[site].exposed, slow.sites[site].exposed, 1e-6) << site;
        sum += cost.sites[site].exposed;
        waited += cost.sites[site].waited;
        issues += cost.sites[site].issues;
    }
    EXPECT_NEAR(sum, double(cost.empty_slots), 1e-6 * double(cost.empty_slots));
    EXPECT_EQ(issues, schedule.totals.issued);
    EXPECT_EQ(waited, schedule.totals.warp_cycles - schedule.totals.eligible_cycles);
}

TEST(exposed_cost, it_equals_a_count_cycle_by_cycle_and_sums_to_the_empty_slots) {
    const trace::Trace trace = trace::make_example({8, 128, 3});
    expect_same(trace, make_example_schedule(trace, {.slots_per_scheduler = 2}));
    const trace::Trace crowded = trace::make_example({12, 1024, 5});
    expect_same(crowded, make_example_schedule(crowded, {.schedulers = 2}));
}

TEST(exposed_cost, it_holds_for_schedules_of_many_windows_with_gaps) {
    const trace::Trace trace = trace::make_example({6, 64, 40});
    const trace::Schedule schedule =
        make_example_schedule(trace, {.schedulers = 1, .slots_per_scheduler = 2, .block_interval = 40'000});
    ASSERT_GT(schedule.totals.cycles, 100'000u);
    expect_same(trace, schedule);
}

}  // namespace
}  // namespace warplens::analysis
