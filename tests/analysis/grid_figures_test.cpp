#include "analysis/memory/grid_figures.h"

#include <gtest/gtest.h>

#include "analysis/memory/banks.h"
#include "analysis/memory/stored_request.h"
#include "tests/support/synthetic.h"
#include "tests/support/synthetic_measured.h"
#include "tests/support/synthetic_schedule.h"
#include "trace/query.h"

namespace warplens::analysis {
namespace {

TEST(grid_figures, steps_and_active_lanes_are_those_of_the_expanded_steps) {
    const trace::Trace trace = trace::make_example({5, 72, 3});
    const auto steps = grid_figures(trace, nullptr, GridFigure::steps);
    const auto lanes = grid_figures(trace, nullptr, GridFigure::lanes);
    ASSERT_EQ(steps.size(), trace.warps.size());
    const trace::RecordedSites sites(trace.program);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const trace::WarpSteps all(trace, sites, trace.warps[i]);
        double active = 0;
        all.for_each(0, all.size(), [&](const trace::Step& step) { active += step.active.count(); });
        EXPECT_EQ(steps[i].block, trace.warps[i].block);
        EXPECT_EQ(steps[i].warp, trace.warps[i].warp);
        EXPECT_DOUBLE_EQ(steps[i].value.value(), double(all.size()));
        EXPECT_NEAR(lanes[i].value.value(), active / double(all.size()), 1e-9);
    }
}

TEST(grid_figures, cycles_are_the_stay_on_the_sm_and_only_a_recording_knows_the_sm) {
    trace::Trace trace = trace::make_example({8, 128, 3});
    const trace::Schedule schedule = trace::make_example_schedule(trace, {.slots_per_scheduler = 2});
    const auto cycles = grid_figures(trace, &schedule, GridFigure::cycles);
    for (const trace::ScheduledWarp& warp : schedule.warps)
        EXPECT_DOUBLE_EQ(cycles[warp.warp_record].value.value(), double(warp.departure) - warp.arrival);
    EXPECT_FALSE(grid_figures(trace, nullptr, GridFigure::cycles)[0].value);
    EXPECT_FALSE(grid_figures(trace, &schedule, GridFigure::sm)[0].value);

    trace.measured = std::make_shared<const trace::Measured>(trace::make_example_measured(trace, {}));
    const auto sm = grid_figures(trace, &schedule, GridFigure::sm);
    const auto measured = grid_figures(trace, &schedule, GridFigure::cycles);
    for (const trace::MeasuredWarp& warp : trace.measured->warps) {
        const trace::WarpRecord* record = trace::find_warp(trace, warp.block, warp.warp);
        if (!record) continue;
        const auto at = static_cast<std::size_t>(record - trace.warps.data());
        EXPECT_DOUBLE_EQ(sm[at].value.value(), warp.sm);
        EXPECT_DOUBLE_EQ(measured[at].value.value(), double(warp.end) - warp.begin);
    }
}

TEST(grid_figures, conflicts_sum_to_the_excess_wavefronts_of_shared_memory) {
    const trace::Trace trace = trace::make_example({3, 96, 4});
    double expected = 0, found = 0;
    for (std::uint64_t i = 0; i < trace.accesses.size(); ++i) {
        if (trace.accesses[i].space != Space::shared) continue;
        const StoredRequest request(trace, i);
        const BankDetail detail = detail_banks(request.access());
        expected += double(detail.wavefronts.size()) - detail.count.ideal_wavefronts;
    }
    for (const GridWarp& warp : grid_figures(trace, nullptr, GridFigure::conflicts)) found += *warp.value;
    EXPECT_GT(expected, 0);
    EXPECT_DOUBLE_EQ(found, expected);
}

TEST(grid_figures, warps_of_which_only_times_were_recorded_have_a_number_and_no_record) {
    trace::Trace trace = trace::make_example({4, 64, 2});
    auto measured = std::make_shared<trace::Measured>(trace::make_example_measured(trace, {}));
    ASSERT_EQ(measured->warps.size(), trace.warps.size());
    trace.warps.erase(trace.warps.begin() + 2, trace.warps.begin() + 6);  // blocks 1 and 2
    trace.measured = measured;
    const auto sm = grid_figures(trace, nullptr, GridFigure::sm);
    ASSERT_EQ(sm.size(), measured->warps.size());
    for (std::size_t i = 0; i < sm.size(); ++i) {
        EXPECT_EQ(sm[i].block, measured->warps[i].block);
        EXPECT_EQ(sm[i].warp, measured->warps[i].warp);
        EXPECT_DOUBLE_EQ(sm[i].value.value(), measured->warps[i].sm);
        const bool erased = sm[i].block == 1 || sm[i].block == 2;
        EXPECT_EQ(sm[i].record == no_index, erased);
        if (!erased) {
            EXPECT_EQ(trace.warps[sm[i].record].block, sm[i].block);
        }
    }
    EXPECT_EQ(grid_figures(trace, nullptr, GridFigure::steps).size(), trace.warps.size());
}

TEST(grid_figures, a_warp_without_an_access_is_idle_only_if_others_access_memory) {
    trace::Trace trace = trace::make_example({2, 64, 1});
    for (const GridWarp& warp : grid_figures(trace, nullptr, GridFigure::steps)) EXPECT_FALSE(warp.idle);
    // Only in the arguments of the kernel.
    const trace::WarpRecord& last = trace.warps[3];
    ASSERT_LT(last.accesses_begin, last.accesses_end);
    for (std::uint64_t i = last.accesses_begin; i < last.accesses_end; ++i)
        trace.accesses[i].space = Space::param;
    const auto warps = grid_figures(trace, nullptr, GridFigure::steps);
    EXPECT_FALSE(warps[2].idle);
    EXPECT_TRUE(warps[3].idle);
    EXPECT_TRUE(warps[3].value) << "it executes steps";
    EXPECT_FALSE(grid_figures(trace, nullptr, GridFigure::lanes)[3].value) << "not 32 lanes on";
    for (trace::AccessRecord& access : trace.accesses) access.space = Space::param;
    for (const GridWarp& warp : grid_figures(trace, nullptr, GridFigure::steps)) EXPECT_FALSE(warp.idle);
}

}  // namespace
}  // namespace warplens::analysis
