// Every row of views.def, drawn headless on nothing, on an empty, a tiny and a large trace, in both themes
// and at the smallest and a large size. A new view is tested by being in the table.
#include <gtest/gtest.h>

#include "trace/light.h"
#include "view_stage.h"

namespace warplens::app {
namespace {

std::shared_ptr<const Scene> large_scene() {
    static const auto scene = scheduled_scene(trace::ExampleShape::huge(500'000));
    return scene;
}

class EveryView : public testing::TestWithParam<ViewEntry> {
  protected:
    /// Draws a few frames, with the mouse on its way through the view and a click in its middle.
    static void draw(const std::shared_ptr<const Scene>& scene, ImVec2 size, ThemeName theme) {
        ViewStage stage(GetParam().make(), scene, size, theme);
        stage.headless.frame(2);
        EXPECT_GT(stage.headless.vertices(), 0) << "nothing was drawn";
        EXPECT_FALSE(stage.headless.words().empty()) << "no word was drawn";
        stage.headless.move_mouse({size.x / 3, size.y / 3});
        stage.headless.frame();
        stage.headless.click_at({size.x / 2, size.y / 2});
        stage.headless.frame(2);
        stage.interactive = false;  // as `shot` draws
        stage.headless.frame(2);
        EXPECT_GT(stage.headless.vertices(), 0);
    }
    static void draw_everywhere(const std::shared_ptr<const Scene>& scene) {
        for (const ThemeName theme : {ThemeName::dark, ThemeName::light}) {
            draw(scene, {640, 400}, theme);
            draw(scene, {1900, 1100}, theme);
        }
    }
};

TEST_P(EveryView, says_what_to_do_before_anything_has_run) { draw_everywhere(nullptr); }
TEST_P(EveryView, draws_an_empty_trace) { draw_everywhere(scheduled_scene(trace::ExampleShape::empty())); }
TEST_P(EveryView, draws_a_tiny_trace) { draw_everywhere(scheduled_scene(trace::ExampleShape::tiny())); }
TEST_P(EveryView, draws_a_large_trace) { draw_everywhere(large_scene()); }

TEST_P(EveryView, draws_a_measured_trace) {
    draw_everywhere(measured_scene(trace::ExampleShape::tiny()));
    draw_everywhere(measured_scene(trace::ExampleShape::empty()));
}
TEST_P(EveryView, draws_measured_times_without_addresses_or_a_schedule) {
    auto scene = measured_scene({40, 96, 3}, 1, {.sms = 12});
    auto light = std::make_shared<trace::Trace>(*scene->trace);
    trace::drop_accesses(*light);
    scene->trace = light;
    auto timing = std::make_shared<SceneTiming>();
    timing->absent = "The trace holds no addresses.";
    scene->timing = timing;
    draw_everywhere(scene);
    scene->timing = nullptr;
    draw_everywhere(scene);
}

TEST_P(EveryView, survives_a_selection_that_the_scene_does_not_hold) {
    for (const auto& scene :
         {scheduled_scene(trace::ExampleShape::tiny()), measured_scene(trace::ExampleShape::tiny())}) {
        ViewStage stage(GetParam().make(), scene);
        stage.selection.chosen = {1'000'000, 1'000'000, 1'000'000, 1'000'000'000, 31, 1'000'000};
        stage.selection.hover = stage.selection.chosen;
        stage.headless.frame(3);
        EXPECT_GT(stage.headless.vertices(), 0);
    }
}

TEST_P(EveryView, follows_from_one_scene_to_the_next) {
    ViewStage stage(GetParam().make(), scheduled_scene(trace::ExampleShape::tiny(), 1));
    stage.headless.frame(2);
    stage.scene = scheduled_scene({3, 40, 7}, 2);
    stage.headless.frame(2);
    stage.scene = measured_scene({5, 72, 3}, 2);
    stage.headless.frame(2);
    stage.scene = nullptr;
    stage.headless.frame();
    stage.scene = scheduled_scene(trace::ExampleShape::empty(), 3);
    stage.headless.frame(2);
    EXPECT_GT(stage.headless.vertices(), 0);
}

INSTANTIATE_TEST_SUITE_P(views, EveryView, testing::ValuesIn(view_entries()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace warplens::app
