#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "app/scene/measured_index.h"
#include "app/scene/paired_index.h"
#include "app/scene/perturbation_words.h"
#include "app/ui/number.h"
#include "app/views/timeline/measured_words.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_timeline_view();

namespace {

std::shared_ptr<const trace::Trace> measured_trace(const trace::ExampleShape& shape,
                                                   const trace::ExampleGpu& gpu = {}) {
    return std::make_shared<const trace::Trace>(trace::make_measured_example(shape, gpu));
}

/// Twelve blocks of two warps on two SMs, all slots seen.
class MeasuredStage : public ViewStage {
  public:
    explicit MeasuredStage(std::shared_ptr<Scene> scene = measured_scene({12, 64, 2}, 1, {.sms = 2}),
                           ImVec2 size = {1500, 700})
        : ViewStage(make_timeline_view(), std::move(scene), size), index(this->scene->trace) {
        headless.frame(2);
    }

    /// Where a warp is at a time of the launch, while all of it is seen: found by the rows' heights.
    ImVec2 place(std::uint32_t warp, double ns) const {
        const HitBox plot = *headless.find("timeline plot");
        const float x = plot.min.x + static_cast<float>(ns / index.length_ns()) * (plot.max.x - plot.min.x);
        const HitBox first = *headless.find("timeline SM 0"), second = *headless.find("timeline SM 2");
        const std::size_t rows = index.sms()[0].rows, row = index.row_of_warp(warp);
        // Head, space, rows, space.
        const float top = first.max.y + 3, height = (second.min.y - 7 - top) / static_cast<float>(rows);
        EXPECT_LT(row, rows) << "the test looks at the first SM only";
        return {x, top + (static_cast<float>(row) + 0.5f) * height};
    }
    double middle_of(std::uint32_t warp, std::size_t visit) const {
        const auto visits = index.visits(warp);
        const double from = visits[visit].entered, to = index.left(warp, static_cast<std::uint32_t>(visit));
        return index.ns_of(index.sm_of_warp(warp), (from + to) / 2);
    }

    MeasuredIndex index;
};

TEST(measured_timeline, rows_are_slots_by_sm_and_hold_every_warp_once) {
    const auto trace = measured_trace({40, 200, 3});
    const MeasuredIndex index(trace);
    std::set<std::uint32_t> seen;
    for (std::size_t row = 0; row < index.rows().size(); ++row) {
        const MeasuredIndex::Row& about = index.rows()[row];
        if (row > 0) {
            const MeasuredIndex::Row& before = index.rows()[row - 1];
            EXPECT_LT(std::pair(before.sm, before.slot), std::pair(about.sm, about.slot));
        }
        for (const MeasuredIndex::Stay& stay : index.stays(row)) {
            const trace::MeasuredWarp& warp = index.measured().warps[stay.warp];
            EXPECT_TRUE(seen.insert(stay.warp).second);
            EXPECT_EQ(warp.sm, index.sms()[about.sm].sm);
            EXPECT_EQ(warp.slot, about.slot);
            EXPECT_EQ(index.row_of_warp(stay.warp), row);
            EXPECT_EQ(index.warp_of(warp.block, warp.warp), stay.warp);
            const double middle = index.ns_of(about.sm, (warp.begin + warp.end) / 2.0);
            EXPECT_EQ(index.warp_at(row, middle), stay.warp);
        }
    }
    EXPECT_EQ(seen.size(), trace->measured->warps.size());
    EXPECT_EQ(index.warp_of(40, 0), no_index);
    EXPECT_EQ(index.warp_at(0, -5), no_index);
    EXPECT_EQ(index.warp_at(index.rows().size(), 1), no_index);
}

TEST(measured_timeline, resident_warps_integrate_to_the_warps_own_time_at_any_zoom) {
    const MeasuredIndex index(measured_trace({200, 128, 2}, {.sms = 3}));
    for (std::uint32_t sm = 0; sm < index.sms().size(); ++sm) {
        double warp_ns = 0;
        const MeasuredIndex::Sm& about = index.sms()[sm];
        for (std::size_t row = about.first_row; row < about.first_row + about.rows; ++row)
            for (const auto& stay : index.stays(row))
                warp_ns += (stay.end - stay.begin) * index.ns_per_cycle();
        for (const std::size_t columns : {1u, 7u, 300u, 20'000u}) {
            std::vector<float> resident(columns);
            index.resident(sm, 0, index.length_ns(), resident);
            const double sum = std::accumulate(resident.begin(), resident.end(), 0.0);
            EXPECT_NEAR(sum * index.length_ns() / static_cast<double>(columns), warp_ns, warp_ns * 0.002)
                << columns;
        }
        std::vector<float> outside(3);
        index.resident(sm, -500, -100, outside);
        EXPECT_EQ(outside, std::vector<float>(3, 0.0f));
    }
}

TEST(measured_timeline, a_visit_without_a_time_belongs_to_the_one_before_it) {
    const auto trace = measured_trace({6, 96, 3});
    const MeasuredIndex index(trace);
    std::size_t untimed = 0;
    for (std::uint32_t warp = 0; warp < trace->measured->warps.size(); ++warp) {
        const auto visits = index.visits(warp);
        for (std::uint32_t v = 0; v < visits.size(); ++v) {
            if (visits[v].entered == trace::no_time) {
                ++untimed;
                continue;
            }
            EXPECT_EQ(index.visit_at(warp, visits[v].entered), v);
            EXPECT_EQ(index.visit_at(warp, index.left(warp, v) - 0.5), v);
            EXPECT_GE(index.left(warp, v), visits[v].entered);
        }
        EXPECT_EQ(index.visit_at(warp, visits.front().entered - 1.0), no_index);
    }
    EXPECT_GT(untimed, 0u) << "the example has none";
}

TEST(measured_timeline, is_what_a_measured_trace_shows_and_says_so) {
    MeasuredStage stage;
    EXPECT_TRUE(stage.headless.shows("Measured: `") || stage.headless.shows("Measured: "));
    EXPECT_TRUE(stage.headless.shows("12 blocks on 2 SMs"));
    EXPECT_TRUE(stage.headless.shows("measured · light recording · synthetic"));
    EXPECT_TRUE(stage.headless.shows("light ×1.25 (+3 registers)"));
    EXPECT_TRUE(stage.headless.shows("± 32 ns between SMs"));
    EXPECT_TRUE(stage.headless.shows("SM 2"));
    EXPECT_TRUE(stage.headless.shows("waits at a barrier"));
    ASSERT_TRUE(stage.headless.click("timeline modelled"));
    EXPECT_TRUE(stage.headless.shows("Modelled: "));
    EXPECT_TRUE(stage.headless.shows("Scheduler 0"));
    EXPECT_FALSE(stage.headless.shows("between SMs"));
}

TEST(measured_timeline, a_trace_without_measured_times_has_no_switch) {
    ViewStage stage(make_timeline_view(), scheduled_scene({4, 64, 2}), {1500, 700});
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("timeline measured"));
    EXPECT_FALSE(stage.headless.shows("Modelled: "));
}

TEST(measured_timeline, a_picture_takes_the_pane_that_it_was_asked_for) {
    ViewStage stage(make_timeline_view(), measured_scene({4, 64, 2}), {1500, 700});
    stage.interactive = false;
    stage.selection.wanted_timeline = TimelineSource::modelled;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Modelled: "));
    EXPECT_FALSE(stage.headless.find("timeline measured")) << "no control in a picture";
}

TEST(measured_timeline, hovering_shows_the_basic_block_and_a_click_selects_the_warp_everywhere) {
    MeasuredStage stage;
    const auto visits = stage.index.visits(0);
    const double at = stage.middle_of(0, 0);
    stage.headless.move_mouse(stage.place(0, at));
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("Warp 0 of block 0 is in basic block 0, line "));
    EXPECT_TRUE(stage.headless.shows("SM 0 · slot 0 · measured"));
    EXPECT_EQ(stage.hovered().warp_record, 0u);
    stage.headless.click_at(stage.place(0, at));
    EXPECT_EQ(stage.selection.chosen.warp_record, 0u);
    EXPECT_EQ(stage.selection.chosen.visit, 0u);
    const Program& program = stage.scene->trace->program;
    EXPECT_EQ(stage.selection.chosen.site, program.basic_blocks[visits[0].basic_block].first_site);
    EXPECT_TRUE(stage.headless.shows("Warp 0 of block 0, on SM 0, slot 0"));
    stage.headless.type(">");
    EXPECT_GT(stage.selection.chosen.visit, 0u) << "the next basic block that has a time";
    stage.headless.type("<");
    EXPECT_EQ(stage.selection.chosen.visit, 0u);
}

TEST(measured_timeline, a_wait_at_a_barrier_is_reported_with_its_length) {
    MeasuredStage stage;
    bool found = false;
    for (std::uint32_t warp = 0; warp < 2 && !found; ++warp) {
        for (const trace::MeasuredVisit& visit : stage.index.visits(warp)) {
            if (visit.arrived == trace::no_time || visit.entered - visit.arrived < 20) continue;
            const double at = stage.index.ns_of(0, (visit.arrived + visit.entered) / 2.0);
            stage.headless.move_mouse(stage.place(warp, at));
            stage.headless.frame(3);
            EXPECT_TRUE(stage.headless.shows("waits at a barrier, before"));
            EXPECT_TRUE(stage.headless.shows(counted(visit.entered - visit.arrived, "cycle")));
            found = true;
            break;
        }
    }
    EXPECT_TRUE(found);
}

TEST(measured_timeline, a_selection_made_elsewhere_is_found) {
    MeasuredStage stage;
    stage.selection.chosen.warp_record = 5;
    stage.headless.frame(2);
    const trace::WarpRecord& record = stage.scene->trace->warps[5];
    EXPECT_TRUE(stage.headless.shows("Warp " + std::to_string(record.warp) + " of block " +
                                     std::to_string(record.block) + ", on SM "));
}

TEST(measured_timeline, zooming_in_beyond_the_timer_says_whose_time_is_true) {
    MeasuredStage stage;
    stage.headless.move_mouse(stage.place(0, stage.middle_of(0, 0)));
    for (int i = 0; i < 12; ++i) {
        ImGui::GetIO().KeyCtrl = true;
        stage.headless.wheel(1);
    }
    ImGui::GetIO().KeyCtrl = false;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("exact for SM 0, others (hatched) ± 32 ns"));
    EXPECT_TRUE(stage.headless.shows("line ")) << "basic blocks by name";
    ASSERT_TRUE(stage.headless.click("timeline whole"));
    EXPECT_FALSE(stage.headless.shows("others (hatched)"));
}

TEST(measured_timeline, a_drag_measures_time_of_the_launch) {
    MeasuredStage stage;
    const double length = stage.index.length_ns();
    stage.headless.drag(stage.place(0, 0.25 * length), stage.place(0, 0.75 * length));
    EXPECT_TRUE(stage.headless.shows(" µs") || stage.headless.shows(" ns"));
    EXPECT_EQ(stage.selection.chosen.warp_record, no_index) << "a drag selects nothing";
}

TEST(measured_timeline, many_sms_are_folded_and_a_click_on_a_name_opens_one) {
    MeasuredStage stage(measured_scene({600, 128, 1}, 1, {.sms = 60, .resident_blocks = 4}), {1400, 900});
    ASSERT_GT(stage.index.rows().size(), 160u);
    const auto slots = [&] {
        int count = 0;
        for (const std::string& words : stage.headless.words())
            count += words.starts_with("slot ") || words.starts_with("block ");
        return count;
    };
    const int before = slots();
    EXPECT_GT(before, 0) << "the first is open";
    ASSERT_TRUE(stage.headless.click("timeline SM 0"));
    EXPECT_EQ(slots(), 0);
    ASSERT_TRUE(stage.headless.click("timeline SM 2"));
    EXPECT_GT(slots(), 0);
}

TEST(measured_timeline, a_large_recording_is_drawn_as_density) {
    // 100,000 short blocks of one warp on two SMs: no frame draws each.
    trace::Trace trace = trace::make_example({1, 32, 1});
    trace::Measured measured = trace::make_example_measured(trace, {.sms = 2});
    const trace::MeasuredWarp one = measured.warps.front();
    measured.warps.clear();
    measured.sms = {{0, 0}, {1, 10}};
    for (std::uint32_t i = 0; i < 100'000; ++i) {
        trace::MeasuredWarp warp = one;
        warp.block = i;
        warp.sm = static_cast<std::uint16_t>(i % 2);
        warp.slot = static_cast<std::uint16_t>(i / 2 % 8);
        warp.begin = i / 16 * 1000;
        warp.end = warp.begin + 900;
        warp.visits_begin = warp.visits_end = 0;
        measured.warps.push_back(warp);
    }
    measured.visits.clear();
    auto scene = scheduled_scene({1, 32, 1});
    trace.measured = std::make_shared<const trace::Measured>(std::move(measured));
    scene->trace = std::make_shared<const trace::Trace>(std::move(trace));
    ViewStage stage(make_timeline_view(), scene, {1500, 700});
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("100,000 blocks on 2 SMs"));
    EXPECT_LT(stage.headless.vertices(), 120'000) << "far fewer than warps";
    EXPECT_GT(stage.headless.vertices(), 500);
}

TEST(paired_timeline, pairs_are_the_same_blocks_and_warps_and_enter_the_same_basic_blocks_in_order) {
    const auto scene = measured_scene({12, 64, 3}, 1, {.sms = 2});
    PairedIndex pairs(scene->timing->schedule, index_measured(scene->trace));
    ASSERT_EQ(pairs.pairs().size(), 24u);
    for (std::size_t i = 0; i < pairs.pairs().size(); ++i) {
        const PairedIndex::Pair& pair = pairs.pairs()[i];
        const trace::ScheduledWarp& scheduled = pairs.schedule().warps[pair.scheduled];
        const trace::WarpRecord& record = scene->trace->warps[scheduled.warp_record];
        const trace::MeasuredWarp& clocks = scene->trace->measured->warps[pair.measured];
        EXPECT_EQ(record.block, clocks.block);
        EXPECT_EQ(record.warp, clocks.warp);
        EXPECT_EQ(pairs.block_of(i).block, clocks.block);
        const auto& entered = pairs.entered(i);
        ASSERT_EQ(entered.size(), record.visits_end - record.visits_begin);
        EXPECT_GE(entered.front(), scheduled.arrival);
        EXPECT_LT(entered.back(), scheduled.departure);
        EXPECT_TRUE(std::ranges::is_sorted(entered));
    }
    EXPECT_EQ(pairs.pair_of_record(no_index), no_index);
}

TEST(paired_timeline, what_basic_blocks_took_sums_to_what_the_warps_took) {
    const auto scene = measured_scene({8, 64, 3}, 1, {.sms = 2});
    PairedIndex pairs(scene->timing->schedule, index_measured(scene->trace));
    int calls = 1;
    while (pairs.sum_on(5)) ++calls;
    EXPECT_GT(calls, 3) << "some at a time";
    double measured = 0, modelled = 0, measured_warps = 0, modelled_warps = 0;
    for (const auto& spent : pairs.spent()) {
        measured += spent.measured;
        modelled += spent.modelled;
    }
    for (std::size_t i = 0; i < pairs.pairs().size(); ++i) {
        const auto& clocks = scene->trace->measured->warps[pairs.pairs()[i].measured];
        const auto visits = pairs.measured().visits(pairs.pairs()[i].measured);
        measured_warps += clocks.end - visits.front().entered;
        modelled_warps +=
            pairs.schedule().warps[pairs.pairs()[i].scheduled].departure - pairs.entered(i).front();
    }
    EXPECT_DOUBLE_EQ(measured, measured_warps);
    EXPECT_DOUBLE_EQ(modelled, modelled_warps);
}

TEST(paired_timeline, shows_both_rows_of_a_warp_and_where_the_model_is_furthest_off) {
    MeasuredStage stage;
    ASSERT_TRUE(stage.headless.click("timeline both"));
    stage.headless.frame(3);
    EXPECT_TRUE(stage.headless.shows("A block of "));
    EXPECT_TRUE(stage.headless.shows("largest difference at line "));
    EXPECT_TRUE(stage.headless.shows("block 0"));
    EXPECT_TRUE(stage.headless.shows("Median block"));
    EXPECT_TRUE(stage.headless.shows("measured above, modelled below, PTX level"));
    const HitBox plot = *stage.headless.find("timeline plot");
    stage.headless.click_at({plot.min.x + 40, plot.min.y + 20});
    EXPECT_EQ(stage.selection.chosen.warp_record, 0u);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("Warp 0 of block 0: "));
    EXPECT_TRUE(stage.headless.shows("measured: entered at "));
    EXPECT_TRUE(stage.headless.shows("modelled: entered at "));
}

TEST(paired_timeline, says_why_there_is_nothing_to_set_beside_the_measured_times) {
    auto scene = measured_scene({4, 64, 2});
    auto timing = std::make_shared<SceneTiming>();
    timing->absent = "The trace holds no addresses.";
    scene->timing = timing;
    ViewStage stage(make_timeline_view(), scene, {1300, 600});
    stage.selection.wanted_timeline = TimelineSource::both;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("The trace holds no addresses."));
    scene->timing = nullptr;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("The timing model is running."));
}

TEST(measured_timeline, ticks_of_neighbours_differ) {
    EXPECT_EQ(microsecond_tick(1250, 50), "1.25");
    EXPECT_EQ(microsecond_tick(1000, 200), "1.0");
    EXPECT_EQ(microsecond_tick(3000, 1000), "3");
    EXPECT_EQ(microsecond_tick(1002, 2), "1.002");
    EXPECT_EQ(nanoseconds_words(0.66), "0.7 ns");
    EXPECT_EQ(nanoseconds_words(999), "999 ns");
    EXPECT_EQ(nanoseconds_words(1540), "1.54 µs");
}

}  // namespace
}  // namespace warplens::app
