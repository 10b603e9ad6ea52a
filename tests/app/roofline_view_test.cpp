#include <gtest/gtest.h>

#include "app/ui/number.h"
#include "app/views/roofline/words.h"
#include "tests/app/scripted_model.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_roofline_view();

namespace {

/// 1 GFLOP over 100 MB in 100 µs: 10 FLOP/byte, 10 TFLOP/s, left of an H200's ridge.
analysis::Roofline example_roofline() {
    analysis::Roofline roofline;
    roofline.flops = 1e9;
    roofline.dram_bytes_ideal = 1e8;
    roofline.l2_bytes = 4e8;
    roofline.intensity = 10;
    roofline.peak_flops = 66.9e12;
    roofline.peak_bytes_per_second = 4.8e12;
    roofline.ridge = 66.9 / 4.8;
    roofline.modelled_seconds = 100e-6;
    return roofline;
}

std::shared_ptr<Scene> scene_with(const analysis::Roofline& roofline, std::uint64_t generation = 1) {
    auto scene = stage_scene(trace::ExampleShape::tiny(), generation);
    SceneTiming timing;
    timing.baseline = timing.schedule = schedule_of_cycles(198'000);
    timing.roofline = roofline;
    scene->timing = std::make_shared<const SceneTiming>(timing);
    scene->timing_generation = generation;
    scene->parameters["TILE"] = std::int64_t{static_cast<std::int64_t>(8 * generation)};
    return scene;
}

TEST(roofline_view, its_title_holds_the_point_and_its_roof) {
    EXPECT_EQ(roofline_title("k", example_roofline(), default_gpu()),
              "`k`: 10 FLOP/byte, 10 TFLOP/s modelled; the memory roof allows 48 TFLOP/s");
    analysis::Roofline dense = example_roofline();
    dense.intensity = 100;
    EXPECT_EQ(roofline_title("k", dense, default_gpu()),
              "`k`: 100 FLOP/byte, 10 TFLOP/s modelled; the compute roof allows 66.9 TFLOP/s");
}

TEST(roofline_view, the_title_of_two_runs_compares_rates_of_one_kind) {
    const analysis::Roofline now = example_roofline();
    analysis::Roofline was = now;
    EXPECT_EQ(roofline_change_words(was, "PAD=0", now), "; PAD=0 reaches as much");
    was.modelled_seconds = 200e-6;
    EXPECT_EQ(roofline_change_words(was, "PAD=0", now), "; PAD=0 reaches 5 TFLOP/s (+100 %)");
    was.measured_seconds = 200e-6;
    EXPECT_EQ(roofline_change_words(was, "PAD=0", now), "") << "a clock's time and a model's are two kinds";
    was = now;
    was.flops = 0;
    EXPECT_EQ(roofline_change_words(was, "PAD=0", now), "");
}

TEST(roofline_view, the_headline_adds_to_the_title_what_sets_the_roof) {
    analysis::Roofline roofline = example_roofline();
    EXPECT_EQ(roofline_headline(roofline).words, "below the ridge of 13.9 FLOP/byte: DRAM sets the roof");
    roofline.intensity = 100;
    EXPECT_EQ(roofline_headline(roofline).words,
              "at or above the ridge of 13.9 FLOP/byte: arithmetic sets the roof");
}

TEST(roofline_view, a_measured_time_stands_before_the_modelled_one) {
    analysis::Roofline roofline = example_roofline();
    roofline.measured_seconds = 50e-6;
    EXPECT_EQ(roofline_title("k", roofline, default_gpu()),
              "`k`: 10 FLOP/byte, 20 TFLOP/s measured; the memory roof allows 48 TFLOP/s");
    ViewStage stage(make_roofline_view(), scene_with(roofline));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("measured"));
    EXPECT_TRUE(stage.headless.shows(", modelled"));
}

TEST(roofline_view, a_kernel_of_integers_has_no_point_but_bandwidths) {
    analysis::Roofline roofline = example_roofline();
    roofline.flops = roofline.intensity = 0;
    EXPECT_EQ(roofline_title("k", roofline, default_gpu()),
              "`k` executes no floating-point operations; it moves its 100 MB at 1 TB/s modelled; the DRAM "
              "of H200 allows "
              "4.8 TB/s");
    ViewStage stage(make_roofline_view(), scene_with(roofline));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("roofline point"));
    EXPECT_TRUE(stage.headless.shows("1 TB/s of 4.8 TB/s (20.8 %)"));
}

TEST(roofline_view, a_gpu_without_known_peaks_is_not_given_any) {
    analysis::Roofline roofline = example_roofline();
    roofline.peak_flops = roofline.peak_bytes_per_second = roofline.ridge = 0;
    const GpuSpec& gpu = **find_gpu("7.5");
    EXPECT_TRUE(roofline_title("k", roofline, gpu).ends_with("are unknown"));
    EXPECT_EQ(l2_bytes_per_second(gpu), 0) << "measured on another GPU";
    ViewStage stage(make_roofline_view(), scene_with(roofline));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("of the roof"));
    EXPECT_TRUE(stage.headless.find("roofline point"));
}

TEST(roofline_view, every_step_of_the_arithmetic_is_written_out) {
    std::string all;
    for (const auto& step : roofline_steps(example_roofline(), default_gpu(), 198'000))
        all += step.steps + "\n";
    for (const char* part : {"1,000,000,000 FLOP", "100,000,000 B", "1 GFLOP / 100 MB = 10 FLOP/B",
                             "198,000 cycles / 1.98 GHz = 100 µs", "1 GFLOP / 100 µs = 10 TFLOP/s",
                             "10 × 4.8 TB/s = 48 TFLOP/s", "10 TFLOP/s / 48 TFLOP/s = 20.8 %"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " is not in\n" << all;
}

TEST(roofline_view, the_point_leaves_a_trail_that_names_what_was_set) {
    ViewStage stage(make_roofline_view(), scene_with(example_roofline(), 1));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("TILE 8"));
    const HitBox before = *stage.headless.find("roofline point");
    analysis::Roofline faster = example_roofline();
    faster.modelled_seconds = 40e-6;
    faster.l2_bytes = 2e8;
    stage.scene = scene_with(faster, 2);
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("TILE 8"));
    EXPECT_LT(stage.headless.find("roofline point")->min.y, before.min.y) << "faster is higher";
    // The same position again leaves no second mark.
    stage.scene = scene_with(faster, 3);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("TILE 16"));
}

TEST(roofline_view, bars_of_a_kernel_without_floating_point_fill_the_picture) {
    analysis::Roofline moves = example_roofline();
    moves.flops = 0;
    moves.intensity = 0;
    ViewStage stage(make_roofline_view(), scene_with(moves), {1280, 720});
    stage.interactive = false;
    stage.headless.frame(2);
    const auto& texts = stage.headless.texts();
    const auto lower = std::ranges::find(texts, "L2, all requested bytes", &DrawnText::words);
    ASSERT_NE(lower, texts.end());
    EXPECT_GT(lower->min.y, 300);
}

TEST(roofline_view, both_bars_mark_where_the_other_run_ended) {
    analysis::Roofline moves = example_roofline();
    moves.flops = 0;
    moves.intensity = 0;
    moves.l2_bytes = 2 * moves.dram_bytes_ideal;
    ViewStage stage(make_roofline_view(), scene_with(moves, 2), {1280, 720});
    stage.interactive = false;
    moves.modelled_seconds = 2 * *moves.modelled_seconds;
    stage.baseline = scene_with(moves, 1);
    stage.headless.frame(2);
    const auto& texts = stage.headless.texts();
    const auto is_mark = [](const DrawnText& text) { return text.words == "first run"; };
    const auto upper = std::ranges::find_if(texts, is_mark);
    ASSERT_NE(upper, texts.end());
    const auto lower = std::find_if(upper + 1, texts.end(), is_mark);
    ASSERT_NE(lower, texts.end());
    EXPECT_GT(lower->min.x, upper->min.x) << "L2 moves twice the bytes";
}

TEST(roofline_view, of_two_gpus_both_have_their_roofs) {
    analysis::Roofline small = example_roofline();
    small.peak_flops = 19.5e12;
    small.peak_bytes_per_second = 1.55e12;
    small.ridge = 19.5 / 1.55;
    small.modelled_seconds = 300e-6;
    auto before = scene_with(small, 1);
    before->gpu = *find_gpu("A100");
    ViewStage stage(make_roofline_view(), scene_with(example_roofline(), 2), {1280, 720});
    stage.interactive = false;
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("A100: DRAM 1.55 TB/s"));
    EXPECT_TRUE(stage.headless.shows("A100: FP32 19.5 TFLOP/s"));
    EXPECT_TRUE(stage.headless.shows("H200: FP32 66.9 TFLOP/s"));
    EXPECT_TRUE(stage.headless.shows("H200: DRAM "));
    EXPECT_FALSE(stage.headless.shows("not drawn"));
    stage.baseline = scene_with(small, 1);
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("H200: DRAM")) << "of one GPU there is one pair of roofs";
}

/// The vertical line from the point to its roof, dashed in the colour of cost, and the words at it.
TEST(roofline_view, the_label_of_a_roof_leaves_room_to_the_line_from_the_point_to_its_roof) {
    // The DRAM roof's label begins at two fifths of the roof: points around it would lie in it.
    for (const double intensity : {0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0}) {
        analysis::Roofline roofline = example_roofline();
        roofline.intensity = intensity;
        roofline.dram_bytes_ideal = roofline.l2_bytes = roofline.flops / intensity;
        roofline.modelled_seconds = roofline.flops / (intensity * roofline.peak_bytes_per_second * 0.05);
        ViewStage stage(make_roofline_view(), scene_with(roofline), {1280, 720});
        stage.interactive = false;
        stage.headless.frame(2);
        const auto& texts = stage.headless.texts();
        const auto label = std::ranges::find_if(
            texts, [](const DrawnText& text) { return text.words.starts_with("DRAM 4.8"); });
        ASSERT_NE(label, texts.end()) << intensity;
        const HitBox* const point = stage.headless.find("roofline point");
        ASSERT_NE(point, nullptr);
        const float x = (point->min.x + point->max.x) / 2;
        const bool across = label->min.x < x && x < label->max.x && label->min.y < point->min.y;
        EXPECT_FALSE(across) << "at " << intensity << " FLOP/byte the line crosses the roof's label";
        EXPECT_TRUE(stage.headless.shows("5 %")) << "how much of the roof is reached";
    }
}

TEST(roofline_view, the_point_moves_in_many_frames_where_motion_is_on) {
    ViewStage stage(make_roofline_view(), scene_with(example_roofline(), 1));
    stage.motion = true;
    stage.headless.frame(2);
    analysis::Roofline faster = example_roofline();
    faster.modelled_seconds = 25e-6;
    stage.scene = scene_with(faster, 2);
    stage.headless.frame();
    EXPECT_TRUE(stage.commands.redraw);
    const float early = stage.headless.find("roofline point")->min.y;
    stage.headless.frame(60);
    stage.commands.redraw = false;
    stage.headless.frame();
    EXPECT_FALSE(stage.commands.redraw) << "it has arrived";
    EXPECT_LT(stage.headless.find("roofline point")->min.y, early);
}

TEST(roofline_view, hovering_the_point_explains_it) {
    ViewStage stage(make_roofline_view(), scene_with(example_roofline()));
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.hover("roofline point"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("if every byte that it needs is moved once"));
}

TEST(roofline_view, a_kernel_with_textures_has_no_point_and_says_why) {
    analysis::Roofline roofline = example_roofline();
    roofline.without_images = true;
    roofline.intensity = 0;
    roofline.modelled_seconds.reset();
    ViewStage stage(make_roofline_view(), scene_with(roofline));
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.find("roofline point"));
    EXPECT_TRUE(stage.headless.shows("its texture and surface traffic is unknown"));
}

TEST(numbers, are_scaled_by_decimal_prefixes) {
    EXPECT_EQ(scaled(4.09e12, "FLOP/s"), "4.09 TFLOP/s");
    EXPECT_EQ(scaled(76.84e12, "FLOP/s"), "76.8 TFLOP/s");
    EXPECT_EQ(scaled(999.9e9, "B/s"), "1 TB/s");
    EXPECT_EQ(scaled(13.8e-6, "s"), "13.8 µs");
    EXPECT_EQ(scaled(0, "B"), "0 B");
}

}  // namespace
}  // namespace warplens::app
