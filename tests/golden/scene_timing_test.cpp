// Scenes of the catalogue timed by the real pipeline and the real model: the times in the window are
// consistent and support what a teacher would say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "app/command_line/target.h"
#include "app/pipeline/make_scene.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/time_scene.h"

namespace warplens::app {
namespace {

const auto never = [] { return false; };

Scene timed(const std::string& kernel, std::vector<std::string> set = {}, const TimingOptions& options = {}) {
    LaunchFlags flags;
    flags.target = kernel;
    flags.set = std::move(set);
    auto scene = load_scene(flags);
    EXPECT_TRUE(scene) << scene.error().message;
    scene->timing = time_scene(*scene, options, never);
    EXPECT_TRUE(scene->timing->schedule) << scene->timing->absent;
    return std::move(*scene);
}

double scene_cycles(const Scene& scene) { return scene.timing->schedule->launch.cycles; }

TEST(scene_timing, the_schedule_keeps_all_that_it_promises) {
    for (const char* kernel :
         {"saxpy", "transpose_tiled", "matmul_tiled", "reduce_shuffle", "histogram_shared"})
        EXPECT_EQ(trace::check(*timed(kernel).timing->schedule), "") << kernel;
}

TEST(scene_timing, the_cost_of_all_sites_closes_with_the_empty_slots) {
    const Scene scene = timed("transpose_tiled");
    const auto& cost = scene.timing->cost;
    ASSERT_EQ(cost.sites.size(), scene.trace->program.sites.size());
    const double exposed = std::accumulate(cost.sites.begin(), cost.sites.end(), 0.0,
                                           [](double sum, const auto& site) { return sum + site.exposed; });
    EXPECT_NEAR(exposed, static_cast<double>(cost.empty_slots), 1e-6 * exposed);
}

TEST(scene_timing, padding_the_tile_does_what_ignoring_conflicts_promised) {
    TimingOptions no_conflicts;
    no_conflicts.no_bank_conflicts = true;
    const Scene conflicting = timed("transpose_tiled", {"PAD=0"});
    const Scene padded = timed("transpose_tiled", {"PAD=1"});
    const auto promised = launch_cycles(conflicting, no_conflicts, never);
    ASSERT_TRUE(promised) << promised.error().message;
    EXPECT_LT(*promised, 0.8 * scene_cycles(conflicting));
    EXPECT_NEAR(*promised, scene_cycles(padded), 0.05 * scene_cycles(padded));
}

TEST(scene_timing, a_knob_keeps_the_baseline_and_the_code) {
    Scene scene = timed("transpose_tiled");
    const auto before = scene.timing;
    EXPECT_EQ(before->schedule, before->baseline);
    EXPECT_TRUE(before->sums && before->density) << "or the timeline makes them within a frame";
    TimingOptions no_conflicts;
    no_conflicts.no_bank_conflicts = true;
    const auto after = time_scene(scene, no_conflicts, never);
    EXPECT_EQ(after->baseline, before->baseline);
    EXPECT_EQ(after->code, before->code);
    EXPECT_EQ(after->schedule->options, no_conflicts);
    EXPECT_LT(after->schedule->launch.cycles, after->baseline->launch.cycles);
    scene.timing = after;
    EXPECT_EQ(time_scene(scene, {}, never)->schedule, before->baseline) << "put back without asking";
}

TEST(scene_timing, the_cycles_of_a_question_are_those_its_knob_shows) {
    const Scene scene = timed("transpose_tiled");
    const auto answers = answer_questions(scene, {});
    ASSERT_TRUE(answers->complete());
    for (const WhatIfAnswer& answer : answers->answers) {
        EXPECT_EQ(answer.failure, "") << answer.name;
        if (!answer.moot.empty()) continue;
        EXPECT_EQ(time_scene(scene, answer.options, never)->schedule->launch.cycles, answer.cycles)
            << answer.name;
    }
}

TEST(scene_timing, a_question_that_was_called_moot_changes_nothing) {
    for (const char* kernel :
         {"saxpy", "transpose_tiled", "matmul_tiled", "reduce_shuffle", "histogram_shared"}) {
        const Scene scene = timed(kernel);
        const WhatIf what_if = standard_questions(*scene.report, *scene.gpu, scene_cycles(scene));
        for (const WhatIfAnswer& answer : what_if.answers) {
            // With whole blocks and full slots the model has nothing else to do; cycles stay to the last one.
            if (answer.moot.empty()) continue;
            const auto same = launch_cycles(scene, answer.options, never);
            ASSERT_TRUE(same) << same.error().message;
            EXPECT_EQ(*same, scene_cycles(scene)) << kernel << ": " << answer.name << ": " << answer.moot;
        }
    }
}

TEST(scene_timing, a_cancelled_question_ends_with_a_sentence) {
    const Scene scene = timed("transpose_tiled");
    Scene fresh = scene;
    fresh.timing = nullptr;
    const auto timing = time_scene(fresh, {}, [] { return true; });
    EXPECT_EQ(timing->schedule, nullptr);
    EXPECT_NE(timing->absent, "");
}

TEST(scene_timing, a_recorded_trace_is_timed_as_the_run_was) {
    const Scene run = timed("transpose_tiled");
    Scene opened = scene_of_trace(run.trace);
    opened.timing = time_scene(opened, {}, never);
    ASSERT_TRUE(opened.timing->schedule) << opened.timing->absent;
    EXPECT_EQ(scene_cycles(opened), scene_cycles(run));
}

}  // namespace
}  // namespace warplens::app
