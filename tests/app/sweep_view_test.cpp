#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/session/sweep_task.h"
#include "app/views/sweep/drawing.h"
#include "example_scene.h"
#include "view_stage.h"

namespace warplens::app {
std::unique_ptr<View> make_sweep_view();

namespace {

using testing::ElementsAre;

std::shared_ptr<const Scene> scene_with_knobs() {
    return std::make_shared<const Scene>(example_scene(trace::ExampleShape::tiny(), example_catalogue()[1]));
}

Sweep swept(std::vector<SweepAxis> axes) {
    Sweep sweep;
    sweep.kernel = "transpose_tiled";
    sweep.gpu = "H200";
    sweep.plan.axes = std::move(axes);
    sweep.plan.metrics = {analysis::find_metric("shared_load.conflict_ways"),
                          analysis::find_metric("schedule.cycles")};
    sweep.provenance = {Provenance::simulated, Provenance::modelled};
    sweep.levels = {Level::ptx, Level::machine};
    sweep.level_of_times = Level::machine;
    for (std::size_t i = 0; i < sweep.plan.points(); ++i) {
        SweepRow row;
        row.at = sweep.plan.at(i);
        row.values = {i == 1 ? 1.0 : 2.0 + double(i), 1000.0 + 10 * double(i)};
        sweep.rows.push_back(std::move(row));
    }
    return sweep;
}

SweepState state_with(Sweep sweep) {
    SweepState state;
    state.possible = true;
    conclude(sweep);
    state.sweep = std::make_shared<const Sweep>(std::move(sweep));
    return state;
}

TEST(sweep_view, says_what_to_do_before_the_first_run_and_before_the_first_sweep) {
    ViewStage none(make_sweep_view(), nullptr);
    none.headless.frame(2);
    EXPECT_TRUE(none.headless.shows("No kernel has run yet"));
    SweepState state;
    state.possible = true;
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("No sweep has run yet"));
    EXPECT_TRUE(stage.headless.shows("run the sweep"));
}

TEST(sweep_view, its_button_asks_for_the_parameter_with_the_closest_range) {
    SweepState state;
    state.possible = true;
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    ASSERT_TRUE(stage.headless.click("sweep run"));
    ASSERT_TRUE(stage.commands.start_sweep);
    ASSERT_EQ(stage.commands.start_sweep->axes.size(), 1u);
    EXPECT_EQ(stage.commands.start_sweep->axes[0].name, "PAD");
    EXPECT_EQ(stage.commands.start_sweep->axes[0].values.size(), 5u);
    EXPECT_EQ(stage.commands.start_sweep->metrics.size(), 2u);
}

TEST(sweep_view, names_the_best_point_and_a_click_on_one_sets_the_knob) {
    const SweepState state = state_with(swept({{"PAD", {"0", "1", "2", "3"}}}));
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("the best is `PAD 1`") || stage.headless.shows("PAD 1"));
    EXPECT_TRUE(stage.headless.shows("shared_load.conflict_ways"));
    EXPECT_TRUE(stage.headless.shows("modelled from machine code, lower is better"));
    ASSERT_TRUE(stage.headless.click("sweep 0 2"));
    ASSERT_FALSE(stage.commands.set_parameters.empty());
    EXPECT_EQ(stage.commands.set_parameters[0].name, "PAD");
    EXPECT_EQ(stage.commands.set_parameters[0].value, "2");
}

TEST(sweep_view, the_best_points_words_lie_on_no_curve) {
    Sweep sweep = swept({{"PAD", {"0", "1", "2", "3"}}});
    const double ways[] = {32, 1, 2, 4};  // steep before the best, flat after it
    for (std::size_t i = 0; i < 4; ++i) sweep.rows[i].values = {ways[i], 20'000 - 10 * double(i)};
    const SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs(), {1280, 720});
    stage.sweep = &state;
    stage.headless.frame(2);
    const HitBox* const words = stage.headless.find("sweep best 0");
    ASSERT_TRUE(words);
    for (std::size_t i = 0; i + 1 < 4; ++i) {
        const HitBox* const from = stage.headless.find(fmt::format("sweep 0 {}", i));
        const HitBox* const to = stage.headless.find(fmt::format("sweep 0 {}", i + 1));
        ASSERT_TRUE(from && to);
        for (float share = 0; share <= 1; share += 0.01f) {
            const float x = from->centre().x + (to->centre().x - from->centre().x) * share;
            const float y = from->centre().y + (to->centre().y - from->centre().y) * share;
            EXPECT_FALSE(x > words->min.x && x < words->max.x && y > words->min.y && y < words->max.y)
                << "between " << i << " and " << i + 1 << " at " << share;
        }
    }
}

TEST(sweep_view, the_title_names_the_fastest_too_where_another_metric_is_best_elsewhere) {
    Sweep sweep = swept({{"PAD", {"0", "1", "2", "3"}}});
    sweep.rows[3].values[1] = 500;
    const SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs(), {1600, 1000});
    stage.sweep = &state;
    stage.headless.frame(2);
    std::string all;
    for (const std::string& one : stage.headless.words()) all += one + " ";
    EXPECT_THAT(all, testing::HasSubstr("faster: "));
    EXPECT_THAT(all, testing::HasSubstr("500 cycles, modelled from machine code"));
}

TEST(sweep_view, numbers_have_four_digits) {
    const analysis::Metric& lanes = *analysis::find_metric("divergence.mean_active_lanes");
    EXPECT_EQ(sweep_words(lanes, 29.596), "29.6 lanes");
    EXPECT_EQ(sweep_words(*analysis::find_metric("schedule.cycles"), 19401), "19,401 cycles");
}

TEST(sweep_view, what_was_not_swept_has_its_thousands_separated_as_in_the_first_line) {
    Sweep sweep = swept({{"PAD", {"0", "1"}}});
    sweep.fixed = {{"W", "1024"}};
    const SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("W 1,024 · H200"));
}

TEST(sweep_view, while_it_runs_the_button_stops_it) {
    SweepState state;
    state.possible = state.running = true;
    state.done = 3;
    state.points = 17;
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("stop (3 of 17)"));
    ASSERT_TRUE(stage.headless.click("sweep cancel"));
    EXPECT_TRUE(stage.commands.cancel_sweep);
}

TEST(sweep_view, names_of_curves_that_end_together_stand_below_one_another) {
    Sweep sweep = swept({{"bytes", {"4096", "67108864"}}, {"PAD", {"0", "1", "2", "3"}}});
    for (SweepRow& row : sweep.rows) row.values = {2.0, 1000.0};
    const SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs(), {800, 600});
    stage.sweep = &state;
    stage.interactive = false;
    stage.headless.frame(2);
    std::vector<Box> names;
    bool axis = false;
    for (const DrawnText& text : stage.headless.texts()) {
        if (text.words == "67,108,864") axis = true;
        if (text.words.starts_with("PAD ")) names.push_back({text.min.x, text.min.y, text.max.x, text.max.y});
    }
    EXPECT_TRUE(axis) << "swept values have separators";
    ASSERT_EQ(names.size(), 8u) << "four curves in each of two charts";
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = i + 1; k < names.size(); ++k)
            EXPECT_TRUE(names[i].y1 <= names[k].y0 + 1 || names[k].y1 <= names[i].y0 + 1 ||
                        names[i].x1 <= names[k].x0 || names[k].x1 <= names[i].x0);
}

TEST(sweep_view, problems_of_different_sizes_have_no_best_and_the_title_says_the_range) {
    Sweep sweep = swept({{"n", {"64", "128"}}});
    for (std::size_t i = 0; i < 2; ++i) {
        sweep.rows[i].values = {{}, 1000.0 + 500 * double(i)};
        sweep.rows[i].problem_bytes = 256 << i;
    }
    const SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("from 1,000 to 1,500 cycles"));
    EXPECT_FALSE(stage.headless.shows("the best is"));
    EXPECT_FALSE(stage.headless.shows("best: 1,000"));
}

TEST(sweep_view, names_settings_that_are_equally_good_and_says_why_there_is_no_best) {
    Sweep sweep = swept({{"PAD", {"0", "1", "2"}}});
    sweep.rows[0].values[0] = 1.0;
    SweepState state = state_with(sweep);
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("equally good are"));
    EXPECT_FALSE(stage.headless.shows("the best is"));
    sweep.plan.metrics.erase(sweep.plan.metrics.begin());
    for (SweepRow& row : sweep.rows) row.values = {row.at[0] == "0" ? 500.0 : 1000.0};
    sweep.rows[2].difference = "The settings compute different things.";
    sweep.untimed = "Modelled times leave out something.";
    state = state_with(std::move(sweep));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("compute different things"));
    EXPECT_TRUE(stage.headless.shows("leave out something"));
    EXPECT_FALSE(stage.headless.shows("the best is"));
}

TEST(sweep_view, several_best_points_are_called_equally_good_with_their_range) {
    SweepState state = state_with(swept({{"PAD", {"0", "1", "2", "3", "4"}}}));
    Sweep sweep = *state.sweep;
    sweep.best[0] = {1, 2};
    sweep.rows[1].values[0] = 100.0;
    sweep.rows[2].values[0] = 102.0;
    state.sweep = std::make_shared<const Sweep>(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs(), {1200, 800});
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("equally good: 100 to 102"));
}

/// They are found once, not in every frame.
TEST(sweep_view, draws_the_best_and_the_remarks_that_the_sweep_was_concluded_with) {
    for (const bool is_map : {false, true}) {
        std::vector<SweepAxis> axes{{"PAD", {"0", "1", "2", "3", "4"}}};
        if (is_map) axes.insert(axes.begin(), {"TILE", {"8", "16"}});
        SweepState state = state_with(swept(std::move(axes)));
        Sweep concluded = *state.sweep;
        ASSERT_THAT(concluded.best[0], ElementsAre(1u));
        concluded.best[0] = {3};
        concluded.remarks = {"A remark of the sweep."};
        state.sweep = std::make_shared<const Sweep>(std::move(concluded));
        ViewStage stage(make_sweep_view(), scene_with_knobs(), {1200, 800});
        stage.sweep = &state;
        stage.headless.frame(2);
        EXPECT_TRUE(stage.headless.shows("A remark of the sweep."));
        EXPECT_TRUE(stage.headless.shows("the best: ")) << is_map;
        EXPECT_TRUE(stage.headless.shows("PAD 3"));
    }
}

TEST(sweep_view, a_share_says_of_what_it_is) {
    Sweep sweep = swept({{"PAD", {"0", "1", "2"}}});
    sweep.plan.metrics = {analysis::find_metric("schedule.issue_active")};
    for (SweepRow& row : sweep.rows) row.values = {row.at[0] == "1" ? 0.9 : 0.5};
    SweepState state = state_with(std::move(sweep));
    ViewStage stage(make_sweep_view(), scene_with_knobs());
    stage.sweep = &state;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("share of cycles in which schedulers issue"));
    EXPECT_TRUE(stage.headless.shows("the best: PAD 1"));
}

TEST(sweep_view, two_parameters_are_curves_or_a_heat_map_and_fit_every_size) {
    Sweep failed = swept({{"TILE", {"8", "16", "32"}}, {"PAD", {"0", "1", "2", "3", "4", "5"}}});
    failed.rows[4].values[0].reset();
    failed.rows[4].failed = "TILE takes one of 8, 16, 32";
    for (const SweepState& state :
         {state_with(swept({{"TILE", {"8", "16", "32"}}, {"PAD", {"0", "1"}}})), state_with(failed)})
        for (const ImVec2 size :
             {ImVec2{640, 400}, ImVec2{300, 900}, ImVec2{1280, 800}, ImVec2{3840, 2160}}) {
            ViewStage stage(make_sweep_view(), scene_with_knobs(), size);
            stage.sweep = &state;
            stage.interactive = false;
            stage.headless.frame(2);
            EXPECT_GT(stage.headless.vertices(), 300);
            const HitBox* box = stage.headless.find("sweep 1 0");
            ASSERT_NE(box, nullptr);
            EXPECT_LE(box->max.x, size.x);
            EXPECT_LE(box->max.y, size.y);
        }
}

TEST(sweep_view, an_axis_ends_at_a_round_number) {
    EXPECT_EQ(round_up(1), 1);
    EXPECT_EQ(round_up(32), 40);
    EXPECT_EQ(round_up(19401), 20000);
    EXPECT_DOUBLE_EQ(round_up(0.62), 0.8);
}

std::shared_ptr<Scene> scene_of(const char* pad, const char* kernel_name = nullptr) {
    auto kernel = example_catalogue()[1];
    auto scene = std::make_shared<Scene>(example_scene(trace::ExampleShape::tiny(), kernel));
    scene->parameters["PAD"] = std::int64_t{std::atoi(pad)};
    if (kernel_name) {
        auto other = std::make_shared<instrumentation::KernelFile>(*kernel);
        other->name = kernel_name;
        if (std::string_view(kernel_name) == "bare") other->parameters.clear();
        scene->kernel = other;
    }
    return scene;
}

TEST(sweep_view, a_baseline_of_another_value_is_a_point_of_the_curve) {
    const SweepState state = state_with(swept({{"PAD", {"0", "1", "2", "3"}}}));
    const auto now = scene_of("1");
    const auto before = std::make_shared<Scene>(*now);
    before->parameters["PAD"] = std::int64_t{0};
    ViewStage stage(make_sweep_view(), now, {1200, 800});
    stage.sweep = &state;
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run"));
    EXPECT_TRUE(stage.headless.find("sweep before 0"));
    EXPECT_FALSE(stage.headless.shows("run it again"));
}

TEST(sweep_view, a_baseline_of_another_kernel_has_a_curve_of_its_own_or_a_sentence) {
    SweepState state = state_with(swept({{"PAD", {"0", "1", "2", "3"}}}));
    ViewStage stage(make_sweep_view(), scene_of("1"), {1200, 800});
    stage.sweep = &state;
    const auto before = scene_of("0", "transpose_other");
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("This sweep has no points of first run: run it again for both."));
    Sweep other = *state.sweep;
    for (SweepRow& row : other.rows) row.values[1] = *row.values[1] * 4;
    conclude(other);
    state.before = std::make_shared<const Sweep>(other);
    state.before_kernel = before->kernel;
    stage.headless.frame(2);
    EXPECT_FALSE(stage.headless.shows("run it again"));
    EXPECT_TRUE(stage.headless.find("sweep before 1"));
    EXPECT_TRUE(stage.headless.shows("5,000")) << "one axis holds both curves";
    stage.baseline = scene_of("0", "bare");
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("has no parameter"));
    EXPECT_FALSE(stage.headless.find("sweep before 1"));
}

TEST(sweep_view, a_heat_map_shows_both_runs_on_one_scale_with_their_differences_outlined) {
    SweepState state =
        state_with(swept({{"TILE", {"8", "16", "32"}}, {"PAD", {"0", "1", "2", "3", "4", "5"}}}));
    Sweep other = *state.sweep;
    for (std::size_t row = 0; row < 6; ++row) other.rows[row].values[1] = *other.rows[row].values[1] * 4;
    const auto before = scene_of("0", "transpose_other");
    conclude(other);
    state.before = std::make_shared<const Sweep>(other);
    state.before_kernel = before->kernel;
    for (const ImVec2 size : {ImVec2{800, 600}, {1280, 720}, {2400, 1400}}) {
        ViewStage stage(make_sweep_view(), scene_of("1"), size);
        stage.sweep = &state;
        stage.baseline = before;
        stage.headless.frame(2);
        const HitBox *was = stage.headless.find("sweep before 1 3"), *is = stage.headless.find("sweep 1 3");
        ASSERT_TRUE(was && is);
        EXPECT_LE(was->max.x, size.x);
        EXPECT_LE(is->max.x, size.x);
        EXPECT_LE(is->max.y, size.y);
        EXPECT_NEAR(was->max.x - was->min.x, is->max.x - is->min.x, 0.01f) << "cells of one size";
    }
    ViewStage stage(make_sweep_view(), scene_of("1"), {1600, 900});
    stage.sweep = &state;
    stage.baseline = before;
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("outlined cells differ from first run"));
    EXPECT_TRUE(stage.headless.shows("second run"));
    ASSERT_TRUE(stage.headless.hover("sweep 1 3"));
    stage.headless.frame(2);
    EXPECT_TRUE(stage.headless.shows("first run:"));
}

}  // namespace
}  // namespace warplens::app
