// The SM view on kernels of the catalogue: what they state agrees with the schedule and the trace,
// and no text covers another or leaves the view at any size.
#include <gmock/gmock.h>

#include "app/pipeline/machine_scene.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"
#include "app/scene/measured_index.h"
#include "app/scene/memory_levels.h"
#include "app/ui/number.h"
#include "app/views/sm/words.h"
#include "tests/app/catalogue_stage.h"

namespace warplens::app {

std::unique_ptr<View> make_sm_view();

namespace {

using testing::HasSubstr;

TEST(sm_view, no_text_covers_another_or_is_cut_off) {
    for (const char* kernel : {"saxpy", "transpose_tiled", "attention_tiled"}) {
        const auto scene = timed_kernel(kernel);
        for (const ImVec2 size : {ImVec2{800, 600}, {1000, 700}, {1600, 1000}, {2400, 1400}}) {
            SCOPED_TRACE(std::string(kernel) + " at " + std::to_string(static_cast<int>(size.x)));
            ViewStage stage(make_sm_view(), scene, size);
            stage.interactive = false;
            stage.headless.frame(2);
            expect_legible(stage, size);
        }
    }
}

/// A text that is a warp's name, or its number alone.
bool names_warp(const std::string& words) {
    return !words.empty() && words.find_first_not_of("0123456789:") == std::string::npos;
}

TEST(sm_view, every_slot_names_its_warp_also_in_small_pictures_and_the_outline_covers_no_name) {
    const auto scene = timed_kernel("transpose_tiled");
    for (const ImVec2 size : {ImVec2{800, 600}, {1000, 700}, {1600, 1000}, {2400, 1400}}) {
        SCOPED_TRACE(size.x);
        ViewStage stage(make_sm_view(), scene, size);
        stage.interactive = false;
        stage.selection.chosen.warp_record = 0;
        stage.headless.frame(2);
        std::size_t slots = 0, named = 0;
        for (std::uint32_t warp = 0; warp < scene->timing->schedule->warps.size(); ++warp) {
            const HitBox* cell = stage.headless.find("sm warp " + std::to_string(warp));
            if (cell == nullptr) continue;
            ++slots;
            for (const DrawnText& text : stage.headless.texts()) {
                const bool inside = text.min.x >= cell->min.x && text.max.x <= cell->max.x &&
                                    (text.min.y + text.max.y) / 2 > cell->min.y &&
                                    (text.min.y + text.max.y) / 2 < cell->max.y;
                if (!inside || !names_warp(text.words.substr(0, text.words.find(' ')))) continue;
                ++named;
                // Letters fill three quarters of a line; an outline of two pixels is outside of them.
                EXPECT_GE(cell->max.y - cell->min.y, 0.75f * (text.max.y - text.min.y));
                break;
            }
        }
        EXPECT_EQ(slots, 64u);
        EXPECT_EQ(named, slots);
    }
}

TEST(sm_view, the_title_of_two_runs_says_what_both_do_in_the_cycle) {
    const auto now = timed_kernel("transpose_tiled", {{"PAD", "1"}});
    const auto was = timed_kernel("transpose_tiled", {{"PAD", "0"}});
    const auto cycle = static_cast<std::uint32_t>(now->timing->schedule->totals.cycles);
    ASSERT_GT(was->timing->schedule->totals.cycles, cycle + 1) << "only the other run has ended";
    const analysis::SmStates &states = *now->timing->sm, &old_states = *was->timing->sm;
    const SmDiagram ended{*now, states, states.at(cycle), no_index, no_index, false};
    const SmDiagram runs{*was, old_states, old_states.at(cycle), no_index, no_index, false};
    EXPECT_TRUE(sm_title_of_both(ended, runs, "PAD=0").starts_with(sm_title(ended) + "; in PAD=0, "));
    EXPECT_TRUE(sm_title_of_both(runs, ended, "PAD=1").ends_with("; in PAD=1, no warp is resident"));
    EXPECT_TRUE(sm_title_of_both(runs, runs, "PAD=0").ends_with("; the same in PAD=0"));
}

TEST(sm_view, two_runs_are_shown_in_a_cycle_in_which_both_have_work) {
    // The longer run is liveliest when the other one has ended.
    const auto slow = timed_kernel("transpose_tiled", {{"PAD", "0"}}), fast = timed_kernel("saxpy", {});
    const std::uint64_t end = fast->timing->schedule->totals.cycles;
    ASSERT_GT(slow->timing->sm->liveliest_cycle(), end);
    ViewStage stage(make_sm_view(), slow, {1600, 1000});
    stage.baseline = fast;
    stage.interactive = false;
    EXPECT_THAT(drawn_words(stage), testing::Not(HasSubstr("has ended")));
}

TEST(sm_view, two_runs_in_a_small_picture_are_beside_each_other_with_readable_slots) {
    const auto scene = timed_kernel("transpose_tiled", {{"PAD", "1"}});
    for (const ImVec2 size : {ImVec2{752, 540}, {1000, 700}, {1232, 660}, {1600, 1000}}) {
        SCOPED_TRACE(size.x);
        ViewStage stage(make_sm_view(), scene, size);
        stage.baseline = timed_kernel("transpose_tiled", {{"PAD", "0"}});
        stage.interactive = false;
        stage.headless.frame(2);
        expect_legible(stage, size);
        EXPECT_TRUE(std::ranges::any_of(stage.headless.texts(), [](const DrawnText& text) {
            const std::string name = text.words.substr(0, text.words.find(' '));
            return name == "28" || name.ends_with(":28");
        })) << "slots have words";
    }
}

/// A second, naive reading of the schedule: every warp and every issue is looked at.
TEST(sm_view, units_hold_what_the_schedule_says_in_every_cycle) {
    for (const char* kernel : {"matmul_tiled", "transpose_tiled"}) {
        const auto scene = timed_kernel(kernel);
        const trace::Schedule& schedule = *scene->timing->schedule;
        ASSERT_EQ(trace::check(schedule), "");
        ASSERT_EQ(schedule.issues.size(), schedule.totals.issued);
        const analysis::SmStates& states = *scene->timing->sm;
        const SmTiming& timing = sm_timing(*scene->gpu);
        std::size_t queued = 0, busy = 0;
        for (std::uint32_t cycle = 0; cycle < schedule.totals.cycles; cycle += 97) {
            const analysis::SmState state = states.at(cycle);
            std::uint32_t resident = 0, issuing = 0;
            std::vector<std::size_t> mio(state.schedulers.size()), lsu(mio), alu_inside(mio);
            for (const trace::ScheduledWarp& warp : schedule.warps) {
                const trace::StateSpan* span = trace::span_at(schedule, warp, cycle);
                resident += span ? 1 : 0;
                issuing += span && span->state() == WarpState::selected ? 1 : 0;
                for (const trace::Issue& issue : trace::issues_of(schedule, warp)) {
                    if (issue.cycle > cycle) break;
                    const bool held = issue.free > cycle;
                    mio[warp.scheduler] += held && issue.pipe() == Pipe::mio ? 1 : 0;
                    lsu[warp.scheduler] += held && issue.pipe() == Pipe::lsu ? 1 : 0;
                    alu_inside[warp.scheduler] +=
                        std::max(issue.ready, issue.free) > cycle && issue.pipe() == Pipe::alu ? 1 : 0;
                }
            }
            EXPECT_EQ(state.resident_warps(), resident) << cycle;
            EXPECT_EQ(state.issuing_schedulers(), issuing) << cycle;
            for (std::size_t s = 0; s < state.schedulers.size(); ++s) {
                EXPECT_EQ(state.schedulers[s].mio_queue.size(), mio[s]) << cycle;
                EXPECT_EQ(state.schedulers[s].lsu_queue.size(), lsu[s]) << cycle;
                EXPECT_LE(mio[s], static_cast<std::size_t>(timing.mio_queue)) << cycle;
                const analysis::PipeState& alu =
                    state.schedulers[s].pipes[static_cast<std::size_t>(Pipe::alu)];
                EXPECT_EQ(alu.inside, alu_inside[s]) << cycle;
                queued += mio[s] + lsu[s];
                busy += alu_inside[s];
            }
            std::array<std::uint32_t, 5> flying{};
            for (const trace::Flight& flight : schedule.flights)
                if (flight.issued <= cycle && flight.returned > cycle)
                    ++flying[static_cast<std::size_t>(flight.served_by())];
            EXPECT_EQ(state.in_flight, flying) << cycle;
        }
        EXPECT_GT(queued, 0u) << "the test has something to compare";
        EXPECT_GT(busy, 0u);
    }
}

TEST(sm_view, l1_is_what_the_model_gives_it_beside_all_blocks_that_fit) {
    // One block is resident, more would fit, and have their share of the array.
    const auto scene = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    const trace::Schedule& schedule = *scene->timing->schedule;
    ASSERT_EQ(scene->timing->levels->levels[1].capacity, schedule.l1_bytes);
    ViewStage stage(make_sm_view(), scene, {1600, 1000});
    EXPECT_THAT(drawn_words(stage), HasSubstr(bytes_words(schedule.l1_bytes) + " L1"));
}

TEST(sm_view, shared_memory_is_as_large_as_in_the_hierarchy_and_slots_are_explained_by_one_that_is_there) {
    const auto scene = timed_kernel("matmul_tiled", {{"M", "64"}, {"N", "64"}, {"K", "64"}});
    const MemoryLevels& levels = *scene->timing->levels;
    const trace::Resources& resources = scene->trace->launch.resources;
    ASSERT_EQ(scene->timing->schedule->resident_blocks, 1);
    EXPECT_EQ(levels.reserved_shared_bytes, 1024u) << "compute capability 9.0 takes 1 KiB of each block's";
    EXPECT_EQ(levels[trace::ServedBy::shared].capacity, resources.shared_static_bytes + 1024u);
    ViewStage stage(make_sm_view(), scene, {1600, 1000});
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr(bytes_words(levels[trace::ServedBy::shared].capacity) + " shared"));
    EXPECT_THAT(words, HasSubstr("is warp"));
    EXPECT_THAT(words, testing::Not(HasSubstr("block 12"))) << "this launch has none of that number";
}

TEST(sm_view, the_title_counts_who_issues_where_most_do) {
    const auto scene = timed_kernel("matmul_register_tiled");
    const analysis::SmStates& states = *scene->timing->sm;
    bool found = false;
    for (std::uint32_t cycle = 0; cycle < scene->timing->schedule->totals.cycles && !found; ++cycle) {
        const analysis::SmState state = states.at(cycle);
        std::uint32_t most = 0, kinds = 0;
        const auto counts = state.states();
        for (const auto& one : warp_states) {
            if (one.state == WarpState::selected) continue;
            most = std::max(most, counts[one.state]);
            kinds += counts[one.state] > 0 ? 1 : 0;
        }
        if (kinds < 2 || counts[WarpState::selected] <= most) continue;
        found = true;
        ViewStage stage(make_sm_view(), scene, {1600, 1000});
        stage.selection.chosen.cycle = cycle;
        EXPECT_THAT(drawn_words(stage),
                    HasSubstr(fmt::format("{} of {} warps issue, the others in {} states",
                                          counts[WarpState::selected], state.resident_warps(), kinds)));
    }
    EXPECT_TRUE(found);
}

TEST(sm_view, the_legend_names_scoreboards_only_where_slots_show_them) {
    Scene scene = *timed_kernel("matmul_tiled");
    scene.machine = machine_code_of(*make_pipeline(), scene, [] { return false; });
    if (!why_not_machine_level(scene).empty()) GTEST_SKIP() << why_not_machine_level(scene);
    const auto machine = std::make_shared<const Scene>(std::move(scene));
    ViewStage large(make_sm_view(), machine, {1600, 1000}), small(make_sm_view(), machine, {800, 600});
    EXPECT_THAT(drawn_words(large), HasSubstr("scoreboard that the warp waits for"));
    EXPECT_THAT(drawn_words(small), testing::Not(HasSubstr("scoreboard that the warp waits for")));
}

TEST(sm_view, states_who_issues_in_the_chosen_cycle_and_a_click_selects_the_warp) {
    const auto scene = timed_kernel("saxpy");
    const trace::Schedule& schedule = *scene->timing->schedule;
    ViewStage stage(make_sm_view(), scene, {1500, 900});
    const auto& issue = schedule.issues[schedule.issues.size() / 2];
    stage.selection.chosen.cycle = issue.cycle;
    EXPECT_THAT(drawn_words(stage), HasSubstr("schedulers issue"));
    const analysis::SmState state = scene->timing->sm->at(issue.cycle);
    EXPECT_GE(state.issuing_schedulers(), 1u);
    std::uint32_t warp = no_index;
    for (const auto& scheduler : state.schedulers)
        if (scheduler.issuing != no_index) warp = scheduler.issuing;
    const HitBox* slot = stage.headless.find("sm warp " + std::to_string(warp));
    ASSERT_NE(slot, nullptr);
    stage.headless.click_at(slot->centre());
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.warp_record, schedule.warps[warp].warp_record);
    EXPECT_EQ(stage.selection.chosen.cycle, issue.cycle) << "the play head stays";
    ASSERT_TRUE(stage.headless.click("sm on"));
    stage.headless.frame(2);
    EXPECT_EQ(stage.selection.chosen.cycle, issue.cycle + 1);
}

TEST(sm_view, a_recording_shows_no_pipes_and_says_so) {
    auto scene = measured_scene({40, 96, 3}, 1, {.sms = 4});
    index_scene(*scene);
    if (!scene->measured) scene->measured = index_measured(scene->trace);
    ViewStage stage(make_sm_view(), scene, {1500, 900});
    const std::string words = drawn_words(stage);
    EXPECT_THAT(words, HasSubstr("not what the SM's units do"));
    EXPECT_THAT(words, testing::Not(HasSubstr("FMA heavy")));
    EXPECT_THAT(words, HasSubstr("measured"));
    ASSERT_TRUE(stage.headless.click("sm modelled"));
    EXPECT_THAT(drawn_words(stage), HasSubstr("schedulers issue"));
}

}  // namespace
}  // namespace warplens::app
