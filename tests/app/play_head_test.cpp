// The play head: Space moves the selection through the run, and the views follow.
#include "app/scene/play_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/scene/step_spot.h"
#include "app/session/values_task.h"
#include "app/ui/letter_keys.h"
#include "app/window/frame.h"
#include "app/window/frame_pacer.h"
#include "tests/app/example_scene.h"
#include "tests/app/view_stage.h"

namespace warplens::app {
namespace {

constexpr double longest = 0.1;  // seconds that a frame may count

Selection at_first_warp() {
    Selection selection;
    selection.chosen.warp_record = 0;
    selection.chosen.lane = 5;
    return selection;
}

TEST(play_head, goes_through_the_cycles_to_the_end_and_takes_the_warps_step_along) {
    const auto scene = scheduled_scene(trace::ExampleShape::tiny());
    const auto last = static_cast<std::uint32_t>(scene->timing->schedule->totals.cycles) - 1;
    Selection selection = at_first_warp();
    PlayHead play;
    EXPECT_FALSE(play.playing());
    ASSERT_TRUE(play.start(scene.get(), selection));
    std::uint32_t before = 0, steps_seen = 0, step = no_index;
    for (int frame = 0; play.playing() && frame < 10'000; ++frame) {
        play.advance(scene.get(), selection, longest);
        ASSERT_GE(selection.chosen.cycle, before);
        before = selection.chosen.cycle;
        EXPECT_EQ(selection.chosen.lane, 5);
        if (selection.chosen.step != step) ++steps_seen;
        step = selection.chosen.step;
    }
    EXPECT_FALSE(play.playing());
    EXPECT_EQ(selection.chosen.cycle, last);
    EXPECT_GT(steps_seen, 3u);
    ASSERT_TRUE(play.start(scene.get(), selection)) << "at the end it begins again";
    play.advance(scene.get(), selection, longest);
    EXPECT_LT(selection.chosen.cycle, last);
}

TEST(play_head, the_step_is_the_one_that_the_warp_is_at_in_that_cycle) {
    const auto scene = scheduled_scene(trace::ExampleShape::tiny());
    const trace::Schedule& schedule = *scene->timing->schedule;
    Selection selection = at_first_warp();
    PlayHead play;
    ASSERT_TRUE(play.start(scene.get(), selection));
    int compared = 0;
    for (int frame = 0; play.playing() && frame < 10'000; ++frame) {
        play.advance(scene.get(), selection, longest);
        const trace::StateSpan* span =
            trace::span_at(schedule, schedule.warps.front(), selection.chosen.cycle);
        if (span == nullptr) continue;
        EXPECT_EQ(selection.chosen.step, span->step);
        ++compared;
    }
    EXPECT_GT(compared, 3);
}

TEST(play_head, without_a_schedule_it_goes_through_the_warps_steps) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    Selection selection = at_first_warp();
    PlayHead play;
    EXPECT_THAT(play.speed_words(scene.get(), selection), testing::HasSubstr("steps/s"));
    ASSERT_TRUE(play.start(scene.get(), selection));
    for (int frame = 0; play.playing() && frame < 10'000; ++frame)
        play.advance(scene.get(), selection, longest);
    EXPECT_EQ(selection.chosen.step, steps_of_warp(*scene->trace, 0) - 1);
    EXPECT_EQ(selection.chosen.cycle, no_index);
}

TEST(play_head, the_speed_is_chosen_and_a_person_may_move_it_while_it_plays) {
    const auto scene = scheduled_scene(trace::ExampleShape::tiny());
    const auto cycles_of_a_frame = [&](int faster) {
        Selection selection = at_first_warp();
        PlayHead play;
        play.change_speed(faster);
        play.start(scene.get(), selection);
        for (int frame = 0; frame < 5; ++frame) play.advance(scene.get(), selection, longest);
        return selection.chosen.cycle;
    };
    EXPECT_GT(cycles_of_a_frame(2), 2 * cycles_of_a_frame(0));
    Selection selection = at_first_warp();
    PlayHead play;
    ASSERT_TRUE(play.start(scene.get(), selection));
    selection.chosen.cycle = 40;
    play.advance(scene.get(), selection, longest);
    EXPECT_GE(selection.chosen.cycle, 40u);
}

TEST(play_head, another_run_and_a_missing_one_stop_it) {
    const auto scene = scheduled_scene(trace::ExampleShape::tiny());
    const auto other = scheduled_scene(trace::ExampleShape::tiny(), 2);
    Selection selection = at_first_warp();
    PlayHead play;
    EXPECT_FALSE(play.start(nullptr, selection));
    ASSERT_TRUE(play.start(scene.get(), selection));
    play.advance(other.get(), selection, longest);
    EXPECT_FALSE(play.playing());
}

struct PlayingWindow {
    PlayingWindow() {
        session.show(*scheduled_scene(trace::ExampleShape::tiny()));
        frame.open_view("lanes");
        ui.frame(3);
    }
    Session session{example_catalogue(), {}, {}};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1920, 1080}};
};

TEST(playing_window, space_plays_and_stops_and_the_lanes_show_where) {
    PlayingWindow window;
    EXPECT_EQ(window.frame.state.due_in, 0) << "idle";
    window.ui.press(compat::Key::space);
    window.ui.frame(30);
    const std::uint32_t here = window.session.selection.chosen.cycle;
    ASSERT_NE(here, no_index);
    EXPECT_GT(window.frame.state.due_in, 0) << "the next frame is wanted";
    EXPECT_LE(window.frame.state.due_in, 1.0 / 60);
    ASSERT_NE(window.ui.find("lanes step"), nullptr);
    const float x = window.ui.find("lanes step")->min.x;
    window.ui.frame(240);
    EXPECT_GT(window.session.selection.chosen.cycle, here);
    EXPECT_GT(window.ui.find("lanes step")->min.x, x);
    window.ui.press(compat::Key::space);
    window.ui.frame(2);
    const Spot stopped = window.session.selection.chosen;
    window.ui.frame(60);
    EXPECT_EQ(window.session.selection.chosen, stopped);
    EXPECT_EQ(window.frame.state.due_in, 0) << "idle again";
}

TEST(playing_window, at_the_machine_level_no_cycle_of_the_ptx_stays_selected_when_it_stops) {
    PlayingWindow window;
    window.frame.state.level = Level::machine;
    window.ui.frame(2);
    window.ui.press(compat::Key::space);
    window.ui.frame(30);
    ASSERT_NE(window.session.selection.chosen.cycle, no_index) << "it plays the PTX's cycles";
    window.ui.press(compat::Key::space);
    window.ui.frame(2);
    EXPECT_EQ(window.session.selection.chosen.cycle, no_index) << "else the timeline would stay at the PTX";
    EXPECT_NE(window.session.selection.chosen.step, no_index) << "where it stopped";
}

TEST(playing_window, the_timeline_has_a_button_and_a_speed) {
    PlayingWindow window;
    EXPECT_TRUE(window.ui.shows("Play"));
    ASSERT_TRUE(window.ui.click("timeline play"));
    window.ui.frame(2);
    EXPECT_TRUE(window.ui.shows("Pause"));
    ASSERT_TRUE(window.ui.click("timeline speed +"));
    window.ui.frame(2);
    ASSERT_TRUE(window.ui.click("timeline play"));
    window.ui.frame(2);
    EXPECT_FALSE(window.ui.shows("Pause"));
}

TEST(playing_window, what_was_played_is_undone_in_one_step) {
    PlayingWindow window;
    const Spot before = window.session.selection.chosen;
    window.ui.press(compat::Key::space);
    window.ui.frame(90);
    window.ui.press(compat::Key::space);
    window.ui.frame(2);
    ASSERT_TRUE(window.frame.history.can_undo());
    window.frame.history.undo(window.session);
    EXPECT_EQ(window.session.selection.chosen, before);
    EXPECT_FALSE(window.frame.history.can_undo());
}

TEST(play_head, the_window_draws_sixty_frames_a_second_while_it_plays_and_sleeps_else) {
    FramePacer pacer;
    FramePacer::Wants wants;
    wants.due_in = 1.0 / 60;
    for (int i = 0; i < 10; ++i) {
        pacer.next(wants);
        pacer.drawn(false);
    }
    const FramePacer::Wait playing = pacer.next(wants);
    EXPECT_FALSE(playing.until_event);
    EXPECT_GT(playing.seconds, 0.01) << "no busy loop";
    EXPECT_LE(playing.seconds, 1.0 / 60);
    for (int i = 0; i < 10; ++i) {
        pacer.drawn(false);
        if (pacer.next({}).until_event) return;
    }
    FAIL() << "it does not sleep";
}

TEST(values_task, questions_of_each_frame_are_answered_while_it_plays) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    std::counting_semaphore<100> may_answer{0}, answered{0};
    ValuesTask task([&] { answered.release(); });
    task.set_reader([&](const Scene&, const ValuesQuestion& question,
                        const std::function<bool()>& cancelled) -> Result<StepValues> {
        (void)may_answer.try_acquire_for(std::chrono::seconds(20));
        if (cancelled()) return fail("cancelled");
        StepValues values;
        values.state.at = question.at;
        return values;
    });
    ValuesQuestion first, second, third;
    second.at.step = 1, third.at.step = 2;
    task.ask(scene, first, true);
    task.ask(scene, second, true);
    task.ask(scene, third, true);
    may_answer.release();
    ASSERT_TRUE(answered.try_acquire_for(std::chrono::seconds(20)));
    ASSERT_TRUE(task.poll());
    ASSERT_TRUE(task.state().found) << "the first was finished though others came";
    EXPECT_EQ(task.state().found->state.at.step, 0u);
    may_answer.release();
    ASSERT_TRUE(answered.try_acquire_for(std::chrono::seconds(20)));
    ASSERT_TRUE(task.poll());
    EXPECT_EQ(task.state().found->state.at.step, 2u) << "then the newest, and not the second";
}

TEST(play_head, the_requests_of_the_map_follow_the_step) {
    const auto scene = stage_scene(trace::ExampleShape::tiny());
    const trace::Trace& trace = *scene->trace;
    const trace::WarpRecord& warp = trace.warps.front();
    std::uint32_t before = 0;
    for (std::uint64_t step = 0; step < steps_of_warp(trace, 0); ++step) {
        const std::uint32_t now = requests_until(trace, *spot_of_step(trace, 0, step));
        EXPECT_GE(now, before);
        before = now;
    }
    EXPECT_EQ(before, warp.accesses_end - warp.accesses_begin);
}

}  // namespace
}  // namespace warplens::app
