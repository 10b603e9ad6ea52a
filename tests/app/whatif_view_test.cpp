#include <gtest/gtest.h>

#include "tests/app/scripted_model.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_whatif_view();

namespace {

/// The synthetic example, timed by a scripted model, with its questions answered.
std::shared_ptr<Scene> what_if_scene(ScriptedModel& model, const TimingOptions& options = {},
                                     std::uint64_t generation = 1) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    auto report = std::make_shared<analysis::LaunchReport>(*scene->report);
    report->launch.geometry.grid = {4096, 1, 1};
    report->launch.geometry.block = {64, 1, 1};
    analysis::fill_occupancy(*report, default_gpu());
    scene->report = report;
    const Model asked = model.model();
    const auto never = [] { return false; };
    scene->timing = asked.time(*scene, options, never);
    WhatIf what_if = standard_questions(*report, default_gpu(), scene->timing->baseline->launch.cycles);
    while (answer_next(what_if, [&](const TimingOptions& each) { return asked.ask(*scene, each, never); })) {
    }
    scene->what_if = std::make_shared<const WhatIf>(what_if);
    return scene;
}

TEST(whatif_view, says_that_the_model_is_at_work_or_why_it_has_no_answer) {
    auto scene = stage_scene(trace::ExampleShape::tiny());
    ViewStage waiting(make_whatif_view(), scene);
    waiting.headless.frame(2);
    EXPECT_TRUE(waiting.headless.shows("has not been timed"));
    waiting.modelling = true;
    waiting.headless.frame(2);
    EXPECT_TRUE(waiting.headless.shows("model is running"));
    auto timing = std::make_shared<SceneTiming>();
    timing->absent = "The launch does not fit the GPU.";
    scene->timing = timing;
    ViewStage absent(make_whatif_view(), scene);
    absent.headless.frame(2);
    EXPECT_TRUE(absent.headless.shows("The launch does not fit the GPU."));
}

TEST(whatif_view, names_what_would_help_most) {
    ScriptedModel model;
    ViewStage stage(make_whatif_view(), what_if_scene(model));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("19,401"));
    EXPECT_TRUE(stage.headless.shows("11,603"));
    EXPECT_TRUE(stage.headless.shows("−40 %"));
    EXPECT_TRUE(stage.headless.shows("modelled"));
    EXPECT_TRUE(stage.headless.find("whatif question no_bank_conflicts"));
}

TEST(whatif_view, a_question_s_button_changes_its_knob_and_puts_it_back) {
    ScriptedModel model;
    ViewStage stage(make_whatif_view(), what_if_scene(model));
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("whatif set no_bank_conflicts"));
    ASSERT_TRUE(stage.commands.set_timing);
    EXPECT_TRUE(stage.commands.set_timing->no_bank_conflicts);

    stage.scene = what_if_scene(model, *stage.commands.set_timing);
    stage.commands.set_timing.reset();
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("19,401 → 11,603 cycles"));
    ASSERT_TRUE(stage.headless.click("whatif set no_bank_conflicts"));
    EXPECT_EQ(stage.commands.set_timing, TimingOptions{});
    stage.commands.set_timing.reset();
    ASSERT_TRUE(stage.headless.click("whatif reset"));
    EXPECT_EQ(stage.commands.set_timing, TimingOptions{});
}

TEST(whatif_view, each_knob_changes_its_own_option) {
    ScriptedModel model;
    ViewStage stage(make_whatif_view(), what_if_scene(model));
    stage.headless.frame(2);
    const auto turned = [&](const char* box) {
        stage.commands.set_timing.reset();
        EXPECT_TRUE(stage.headless.click(box)) << box;
        return stage.commands.set_timing.value_or(TimingOptions{});
    };
    EXPECT_EQ(turned("whatif schedulers +").schedulers, 8);
    EXPECT_EQ(turned("whatif schedulers -").schedulers, 2);
    EXPECT_EQ(turned("whatif policy +").policy, SchedulerPolicy::greedy_then_oldest);
    EXPECT_EQ(turned("whatif latency -").dram_latency_factor, 0.5);
    EXPECT_EQ(turned("whatif sms +").sm_count, 264);
    EXPECT_TRUE(turned("whatif conflicts").no_bank_conflicts);
    EXPECT_TRUE(turned("whatif coalescing").perfect_coalescing);
    EXPECT_TRUE(turned("whatif l2").data_in_l2);
    EXPECT_TRUE(turned("whatif registers").ignore_register_limit);
    EXPECT_TRUE(turned("whatif shared").ignore_shared_limit);
    EXPECT_TRUE(turned("whatif blocks").ignore_block_limit);
    // 32 blocks of 2 warps fit; one fewer are 62, and back up is as occupancy says.
    EXPECT_EQ(turned("whatif warps -").max_resident_warps, 62);
    TimingOptions fewer;
    fewer.max_resident_warps = 62;
    stage.scene = what_if_scene(model, fewer);
    stage.headless.frame(2);
    EXPECT_EQ(turned("whatif warps +"), TimingOptions{});
}

TEST(whatif_view, a_question_that_cannot_matter_has_no_button_and_says_why) {
    ScriptedModel model;
    ViewStage stage(make_whatif_view(), what_if_scene(model));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("whatif set no_register_limit"));
    EXPECT_TRUE(stage.headless.shows("No effect here"));
    EXPECT_TRUE(stage.headless.shows("run out at 32 blocks already"));
}

TEST(whatif_view, the_baseline_is_a_ghost_on_the_same_axis) {
    ScriptedModel slow, fast;
    fast.cycles = [](const TimingOptions& options) { return options.no_bank_conflicts ? 8'300.0 : 8'376.0; };
    const auto before = what_if_scene(slow, {}, 1);
    ViewStage stage(make_whatif_view(), what_if_scene(fast, {}, 2), {1300, 900});
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run: Removing bank conflicts")) << "the title";
    EXPECT_TRUE(stage.headless.shows("outlined: first run, unchanged 19,401 cycles"));
    EXPECT_TRUE(stage.headless.shows("first run takes 19,401 cycles (−57 %)"));
    ASSERT_TRUE(stage.headless.hover("whatif question no_bank_conflicts"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run: 19,401 → 11,603 cycles, −40 %"));
    before->what_if = nullptr;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("The model was not asked these questions for first run"));
}

TEST(whatif_view, a_picture_speaks_of_no_knob_and_leaves_no_room_for_buttons) {
    ScriptedModel model;
    ViewStage stage(make_whatif_view(), what_if_scene(model));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("change a knob"));
    stage.interactive = false;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("change a knob"));
    EXPECT_TRUE(stage.headless.shows("for the unchanged kernel on the unchanged GPU"));
    float rightmost = 0;
    for (const DrawnText& text : stage.headless.texts())
        if (text.words.ends_with(" %")) rightmost = std::max(rightmost, text.max.x);
    EXPECT_GT(rightmost, 1080) << "the last column ends where the view ends";
}

}  // namespace
}  // namespace warplens::app
