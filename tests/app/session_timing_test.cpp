#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "app/session/session.h"
#include "tests/app/example_scene.h"
#include "tests/app/scripted_model.h"

namespace warplens::app {
namespace {

TimingOptions without_conflicts() {
    TimingOptions options;
    options.no_bank_conflicts = true;
    return options;
}

void settle(Session& session) {
    while (session.busy()) {
        session.poll();
        std::this_thread::yield();
    }
}

struct TimingStage {
    ScriptedRun run;
    ScriptedModel model;
    Session session{example_catalogue(), run.run(), run.wake(), model.model()};
};

TEST(session_timing, a_scene_comes_with_its_timing) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    const Scene* scene = stage.session.scene();
    ASSERT_NE(scene, nullptr);
    ASSERT_NE(scene->timing, nullptr);
    EXPECT_EQ(scene->timing->schedule->launch.cycles, 19'401);
    EXPECT_EQ(scene->timing->baseline, scene->timing->schedule);
}

TEST(session_timing, a_what_if_knob_asks_the_model_and_executes_nothing) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    const auto generation = stage.session.scene()->generation;
    const auto timing_generation = stage.session.scene()->timing_generation;
    stage.session.set_timing(without_conflicts());
    EXPECT_TRUE(stage.session.modelling());
    EXPECT_FALSE(stage.session.running());
    EXPECT_FALSE(stage.session.stale()) << "the picture of what was executed still holds";
    settle(stage.session);
    const Scene& scene = *stage.session.scene();
    EXPECT_EQ(stage.run.requests.size(), 1u);
    EXPECT_EQ(scene.timing->schedule->launch.cycles, 11'603);
    EXPECT_EQ(scene.timing->baseline->launch.cycles, 19'401) << "kept, to compare with";
    EXPECT_EQ(scene.generation, generation);
    EXPECT_GT(scene.timing_generation, timing_generation);
}

TEST(session_timing, a_baseline_gets_the_answers_that_come_after_it_was_kept) {
    std::latch go{1};
    TimingStage stage;
    stage.model.cycles = [&](const TimingOptions& options) {
        if (options != TimingOptions{}) go.wait();
        return 19'401.0;
    };
    stage.session.open_kernel("transpose_tiled");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto timed = [&] { return stage.session.scene() && stage.session.scene()->timing; };
    while (!timed() && std::chrono::steady_clock::now() < end) stage.session.poll();
    const bool asked =
        timed() && stage.session.scene()->what_if && !stage.session.scene()->what_if->complete();
    stage.session.keep_baseline();
    go.count_down();
    settle(stage.session);
    ASSERT_TRUE(asked) << "questions were open when it was kept";
    ASSERT_TRUE(stage.session.baselines.chosen());
    EXPECT_TRUE(stage.session.baselines.chosen()->scene->what_if->complete());
}

TEST(session_timing, the_knobs_stay_from_kernel_to_kernel_and_can_be_put_back) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    stage.session.set_timing(without_conflicts());
    stage.session.open_kernel("saxpy");
    settle(stage.session);
    EXPECT_EQ(stage.session.scene()->timing->options, without_conflicts());
    stage.session.set_timing({});
    settle(stage.session);
    EXPECT_EQ(stage.session.scene()->timing->options, TimingOptions{});
}

TEST(session_timing, a_scene_whose_timing_takes_long_is_shown_before_it) {
    TimingStage stage;
    std::latch shown(1);
    stage.model.before_timing = [&](const auto&) { shown.wait(); };
    stage.session.open_kernel("transpose_tiled");
    while (!stage.session.poll()) std::this_thread::yield();
    ASSERT_NE(stage.session.scene(), nullptr);
    EXPECT_EQ(stage.session.scene()->timing, nullptr);
    EXPECT_FALSE(stage.session.running());
    EXPECT_TRUE(stage.session.modelling());
    const auto generation = stage.session.scene()->generation;
    shown.count_down();
    settle(stage.session);
    EXPECT_NE(stage.session.scene()->timing, nullptr);
    EXPECT_EQ(stage.session.scene()->generation, generation) << "views keep what they derived from the run";
}

TEST(session_timing, a_newer_knob_cancels_the_older_question) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    std::latch begun(1);
    bool first = true, first_was_cancelled = false;
    stage.model.before_timing = [&](const std::function<bool()>& cancelled) {
        if (!std::exchange(first, false)) return;
        begun.count_down();
        while (!cancelled()) std::this_thread::yield();
        first_was_cancelled = true;
    };
    stage.session.set_timing(without_conflicts());
    begun.wait();
    TimingOptions eight;
    eight.schedulers = 8;
    stage.session.set_timing(eight);
    settle(stage.session);
    EXPECT_TRUE(first_was_cancelled);
    EXPECT_EQ(stage.session.scene()->timing->options, eight);
}

TEST(session_timing, cancelling_the_model_puts_the_knobs_back_to_what_is_shown) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    stage.model.before_timing = [](const std::function<bool()>& cancelled) {
        while (!cancelled()) std::this_thread::yield();
    };
    stage.session.set_timing(without_conflicts());
    stage.session.cancel();
    EXPECT_FALSE(stage.session.busy());
    EXPECT_FALSE(stage.session.stale());
    EXPECT_EQ(stage.session.timing(), TimingOptions{});
    EXPECT_EQ(stage.session.scene()->timing->schedule->launch.cycles, 19'401);
}

TEST(session_timing, every_standard_question_is_answered_once_for_a_run) {
    TimingStage stage;
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    ASSERT_NE(stage.session.scene()->what_if, nullptr);
    const WhatIf& what_if = *stage.session.scene()->what_if;
    EXPECT_TRUE(what_if.complete());
    EXPECT_EQ(what_if.baseline_cycles, 19'401);
    const std::size_t asked = stage.model.asked.size();
    EXPECT_GT(asked, 0u);
    // A knob does not ask them again: they are about the unchanged GPU.
    stage.session.set_timing(without_conflicts());
    settle(stage.session);
    EXPECT_EQ(stage.model.asked.size(), asked);
    EXPECT_TRUE(stage.session.scene()->what_if->complete());
}

TEST(session_timing, a_knob_changed_while_questions_are_open_is_answered_first) {
    TimingStage stage;
    std::latch begun(1), go_on(1);
    bool first = true;
    stage.model.cycles = [&](const TimingOptions& options) {
        if (options.no_bank_conflicts && std::exchange(first, false)) {
            begun.count_down();
            go_on.wait();
        }
        return 1000.0;
    };
    stage.session.open_kernel("transpose_tiled");
    begun.wait();  // the first question is under way, so the Scene has its timing
    while (stage.session.scene() == nullptr) stage.session.poll();
    TimingOptions eight;
    eight.schedulers = 8;
    stage.session.set_timing(eight);
    go_on.count_down();
    settle(stage.session);
    EXPECT_EQ(stage.session.scene()->timing->options, eight);
    EXPECT_TRUE(stage.session.scene()->what_if->complete());
}

TEST(session_timing, an_opened_trace_is_timed_too) {
    TimingStage stage;
    stage.session.show(example_scene());
    EXPECT_NE(stage.session.scene(), nullptr) << "at once";
    settle(stage.session);
    ASSERT_NE(stage.session.scene()->timing, nullptr);
    EXPECT_TRUE(stage.run.requests.empty());
}

TEST(session_timing, a_model_without_memory_leaves_the_scene_and_says_so) {
    TimingStage stage;
    stage.model.before_timing = [](const auto&) { throw std::bad_alloc(); };
    stage.session.open_kernel("transpose_tiled");
    settle(stage.session);
    EXPECT_TRUE(stage.session.failure().empty());
    ASSERT_NE(stage.session.scene()->timing, nullptr);
    EXPECT_THAT(stage.session.scene()->timing->absent, testing::HasSubstr("memory"));
    EXPECT_EQ(stage.session.scene()->what_if, nullptr);
}

}  // namespace
}  // namespace warplens::app
