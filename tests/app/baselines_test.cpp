// Baselines: kept runs, the line that states what changed since, and the views that draw two runs.
#include "app/session/baselines.h"

#include <gtest/gtest.h>

#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/app/view_stage.h"

namespace warplens::app {
namespace {

/// The example with the requested PAD; with padding its shared loads have no conflict, and it takes less
/// time.
Scene padded(const RunRequest& request) {
    Scene scene = example_scene(trace::ExampleShape::tiny(), request.kernel);
    const auto pad = request.overrides.find("PAD");
    const bool has_pad = pad != request.overrides.end() && pad->second != "0";
    auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
    report->launch.parameters = {{"PAD", has_pad ? pad->second : "0"}};
    scene.parameters["PAD"] = std::int64_t{has_pad};
    if (has_pad) report->shared_load.wavefronts = report->shared_load.requests;
    scene.report = std::move(report);
    return scene;
}

class BaselinesTest : public testing::Test {
  protected:
    BaselinesTest() {
        script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
            return padded(request);
        };
        session.open_kernel("transpose_tiled");
        settle();
    }
    void settle() {
        script.wait();
        ui.frame(3);
    }
    void set_pad(const char* value) {
        session.set_parameter("PAD", value);
        settle();
    }

    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1920, 1080}};
};

TEST_F(BaselinesTest, a_kept_run_is_compared_with_the_next_ones) {
    EXPECT_FALSE(ui.find("choose baseline"));
    ASSERT_TRUE(ui.click("baseline"));
    ui.frame(2);
    ASSERT_TRUE(session.baselines.chosen());
    EXPECT_EQ(session.baselines.chosen()->name, "transpose_tiled");
    EXPECT_EQ(session.comparison(Level::ptx), nullptr) << "the run itself";
    EXPECT_TRUE(ui.shows("change a knob"));
    set_pad("1");
    ASSERT_TRUE(session.comparison(Level::ptx));
    EXPECT_EQ(session.comparison(Level::ptx)->settings, "PAD 0 → 1");
    EXPECT_TRUE(ui.shows("→ 1 wavefronts per request"));
    ASSERT_TRUE(ui.click("stop comparing"));
    ui.frame(2);
    EXPECT_EQ(session.comparison(Level::ptx), nullptr);
    EXPECT_EQ(session.baselines.all().size(), 1u);
}

TEST_F(BaselinesTest, several_are_kept_by_name_and_one_is_chosen_from_their_list) {
    session.keep_baseline();
    set_pad("1");
    session.keep_baseline();
    set_pad("2");
    ASSERT_EQ(session.baselines.all().size(), 2u);
    EXPECT_EQ(session.baselines.chosen()->name, "transpose_tiled PAD=1");
    ui.frame(2);
    ASSERT_TRUE(ui.click("choose baseline"));
    ASSERT_TRUE(ui.click("choose baseline 0"));
    ui.frame(2);
    EXPECT_EQ(session.baselines.chosen()->name, "transpose_tiled");
    ASSERT_TRUE(ui.click("choose baseline"));
    ASSERT_TRUE(ui.click("forget baseline"));
    ui.frame(2);
    EXPECT_EQ(session.baselines.chosen(), nullptr);
    EXPECT_EQ(session.baselines.all().size(), 1u);
}

TEST_F(BaselinesTest, a_name_that_was_typed_is_shown_and_stays_with_the_launch) {
    session.keep_baseline();
    set_pad("1");
    ui.frame(2);
    ASSERT_TRUE(ui.click("choose baseline"));
    ASSERT_TRUE(ui.click("baseline name"));
    ui.type("before the fix");
    ui.frame(2);
    EXPECT_EQ(session.baselines.chosen()->name, "before the fix");
    ui.press(compat::Key::escape);
    ui.press(compat::Key::escape);
    frame.open_view("banks");
    ui.frame(3);
    EXPECT_TRUE(ui.shows("before the fix"));
    session.run_again();
    settle();
    session.baselines.keep(session.baselines.all()[0].scene);
    EXPECT_EQ(session.baselines.all().size(), 1u);
    EXPECT_EQ(session.baselines.all()[0].name, "before the fix");
    session.baselines.rename(0, " ");
    EXPECT_EQ(session.baselines.all()[0].name, "transpose_tiled") << "its own";
}

TEST_F(BaselinesTest, the_same_launch_replaces_its_older_run) {
    session.keep_baseline();
    session.run_again();
    settle();
    session.keep_baseline();
    EXPECT_EQ(session.baselines.all().size(), 1u);
}

TEST(baseline_views, each_view_of_two_runs_names_both) {
    for (const ViewEntry& entry : view_entries()) {
        const auto before = scheduled_scene(trace::ExampleShape::tiny(), 1);
        const auto after = scheduled_scene(trace::ExampleShape::tiny(), 2);
        before->requests = index_requests(*before);
        ViewStage stage(entry.make(), after);
        stage.baseline = before;
        stage.headless.frame(3);
        if (std::string_view(entry.name) == "roofline") {  // the example has no roofs
            EXPECT_TRUE(stage.headless.shows("first run") || stage.headless.shows("not drawn: "));
            continue;
        }
        // The example has nothing for some views; their own tests have what they need.
        const bool nothing_to_draw =
            entry.name == std::string_view("sweep") || entry.name == std::string_view("measured") ||
            entry.name == std::string_view("launches") || entry.name == std::string_view("printed") ||
            entry.name == std::string_view("streams") || entry.name == std::string_view("program");
        if (nothing_to_draw) continue;
        EXPECT_TRUE(stage.headless.shows("first run")) << entry.name;
        const bool says_why = stage.headless.shows("first run has no ") ||
                              stage.headless.shows("not asked these questions for first run");
        EXPECT_NE(stage.headless.shows("second run"), says_why) << entry.name;
    }
}

}  // namespace
}  // namespace warplens::app
