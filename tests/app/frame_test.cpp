#include "app/window/frame.h"
#include "app/window/seen_picture.h"

#include <gtest/gtest.h>

#include <latch>

#include "app/ui/letter_keys.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

class FrameTest : public testing::Test {
  protected:
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }};

    FrameTest() { layout.kernels = KernelList::shown; }

    /// Until the run that was asked for is on screen.
    void settle() {
        script.wait();
        ui.frame(3);
    }
};

TEST_F(FrameTest, without_a_scene_the_frame_says_what_to_do_next) {
    ui.frame(2);
    EXPECT_GT(ui.vertices(), 0);
    EXPECT_TRUE(ui.shows("no kernel has run yet"));
    EXPECT_TRUE(ui.shows("saxpy"));
    EXPECT_TRUE(ui.shows("The lesson of saxpy"));
    EXPECT_FALSE(ui.find("knob PAD +"));
}

TEST_F(FrameTest, the_first_frames_say_what_runs) {
    std::latch shown(1);
    Session waiting{example_catalogue(), [&](const RunRequest&, const auto&) -> Result<Scene> {
                        shown.wait();
                        return fail("It was only waited for.");
                    }};
    Layout of_it;
    Frame first{waiting, of_it};
    Headless window{[&](const Theme& theme) { first.draw(theme); }};
    waiting.open_kernel("transpose_tiled");
    window.frame(2);
    EXPECT_TRUE(window.shows("running transpose_tiled for the first time"));
    EXPECT_TRUE(window.shows("runs for the first time."));
    EXPECT_FALSE(window.shows("Choose one in the list of kernels"));
    shown.count_down();
}

TEST_F(FrameTest, choosing_a_kernel_and_changing_its_knob_runs_it_with_the_new_value) {
    ui.frame(2);
    ASSERT_TRUE(ui.click("kernel transpose_tiled"));
    settle();
    EXPECT_TRUE(ui.shows("simulated 2 of 1,024 blocks"));
    ASSERT_TRUE(ui.click("knob PAD +"));
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
    ASSERT_TRUE(ui.click("knob PAD -"));
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "0");
    const auto runs = script.requests.size();
    ASSERT_TRUE(ui.click("knob PAD -")) << "the arrow at the end of the range";
    EXPECT_EQ(script.requests.size(), runs);
}

TEST_F(FrameTest, the_kernel_chooser_lists_the_catalogue) {
    ui.frame(2);
    ASSERT_TRUE(ui.click("choose kernel"));
    ASSERT_TRUE(ui.click("choose kernel saxpy"));
    settle();
    EXPECT_EQ(script.requests.back().kernel->name, "saxpy");
    EXPECT_TRUE(ui.find("knob n value"));
}

TEST_F(FrameTest, a_value_can_be_typed) {
    session.open_kernel("saxpy");
    settle();
    ASSERT_TRUE(ui.click("knob n value"));
    ui.type("1000");
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("n"), "1000");
    EXPECT_TRUE(ui.shows("1,000"));
}

TEST_F(FrameTest, a_value_can_be_chosen_from_its_list) {
    session.open_kernel("transpose_tiled");
    settle();
    ASSERT_TRUE(ui.click("knob TILE value"));
    ASSERT_TRUE(ui.click("value TILE 16"));
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("TILE"), "16");
}

TEST_F(FrameTest, dragging_a_knob_runs_through_its_values) {
    session.open_kernel("transpose_tiled");
    settle();
    const HitBox* value = ui.find("knob PAD value");
    ASSERT_NE(value, nullptr);
    const ImVec2 from = value->centre();
    ui.drag(from, {from.x + 26, from.y});  // three clicks of eight pixels
    ui.frame();
    EXPECT_EQ(session.value(session.kernel()->parameters[1]), "3");
}

TEST_F(FrameTest, arrow_keys_change_the_knob_that_was_last_clicked) {
    session.open_kernel("transpose_tiled");
    settle();
    ASSERT_TRUE(ui.click("knob PAD +"));
    settle();
    ui.press(compat::Key::right);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "2");
    ui.press(compat::Key::left);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
}

TEST_F(FrameTest, a_knob_explains_itself_and_says_what_may_be_typed) {
    session.open_kernel("transpose_tiled");
    settle();
    ASSERT_TRUE(ui.hover("knob W value"));
    EXPECT_TRUE(ui.shows("columns of the matrix"));
    EXPECT_TRUE(ui.shows("32 to 8192 in steps of 32"));
}

TEST_F(FrameTest, r_runs_again) {
    session.open_kernel("saxpy");
    settle();
    compat::feed_letter('R', true);
    ui.frame();
    compat::feed_letter('R', false);
    settle();
    EXPECT_EQ(script.requests.size(), 2u);
}

TEST_F(FrameTest, the_first_lesson_asks_for_another_pad_until_it_is_changed) {
    ASSERT_TRUE(frame.open_first_lesson());
    settle();
    EXPECT_EQ(session.kernel()->name, "transpose_tiled");
    EXPECT_TRUE(ui.shows("Set `PAD` from 0 to 1"));
    ui.press(compat::Key::right);  // PAD is already the arrow keys' knob
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
    EXPECT_FALSE(ui.shows("Set `PAD` from 0 to 1"));
}

TEST_F(FrameTest, a_failed_run_keeps_the_picture_and_shows_the_reason) {
    session.open_kernel("transpose_tiled");
    settle();
    script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("transpose_tiled.cu(12): error: identifier \"x\" is undefined");
    };
    ASSERT_TRUE(ui.click("knob PAD +"));
    settle();
    EXPECT_TRUE(ui.shows("identifier \"x\" is undefined"));
    EXPECT_TRUE(ui.shows("The run failed. The previous result is shown below."));
    EXPECT_NE(session.scene(), nullptr);
}

TEST_F(FrameTest, the_line_that_failed_is_marked_in_the_source_until_the_banner_closes) {
    session.open_kernel("transpose_tiled");
    settle();
    auto broken = std::make_shared<instrumentation::KernelFile>(*session.kernel());
    broken->path = "transpose_tiled.cu";
    broken->source = "// one\n// two\nint x = y;\n// four\n";
    script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("transpose_tiled.cu:3: error: identifier \"y\" is undefined");
    };
    session.open_kernel(std::shared_ptr<const instrumentation::KernelFile>(broken));
    settle();
    EXPECT_TRUE(ui.shows("The run failed at line 3."));
    ASSERT_NE(ui.find("failed mark 3"), nullptr);
    EXPECT_EQ(ui.find("failed mark 2"), nullptr);
    EXPECT_TRUE(ui.shows("int x = y;")) << "the text that failed, not that of the run before";
    EXPECT_EQ(ui.find("source veil"), nullptr);
    ui.press(compat::Key::escape);
    ui.frame(2);
    EXPECT_EQ(ui.find("failed mark 3"), nullptr);
}

TEST_F(FrameTest, the_line_of_a_first_run_that_failed_is_marked_too) {
    script.answer = [](const RunRequest&, const std::function<bool()>&) -> Result<Scene> {
        return fail("saxpy.cu:1: error: expected a declaration");
    };
    auto kernel = std::make_shared<instrumentation::KernelFile>(*example_kernel("saxpy", "Own", {}));
    kernel->path = "saxpy.cu";
    session.open_kernel(std::shared_ptr<const instrumentation::KernelFile>(kernel));
    settle();
    EXPECT_EQ(session.scene(), nullptr);
    EXPECT_NE(ui.find("failed mark 1"), nullptr);
    EXPECT_TRUE(ui.shows("expected a declaration"));
}

TEST_F(FrameTest, frames_go_on_while_a_run_takes_its_time_and_it_can_be_cancelled) {
    session.open_kernel("transpose_tiled");
    settle();
    std::latch runs(1);
    script.answer = [&](const RunRequest&, const std::function<bool()>& cancelled) -> Result<Scene> {
        runs.count_down();
        while (!cancelled()) std::this_thread::yield();
        return fail("cancelled");
    };
    ASSERT_TRUE(ui.click("knob PAD +"));
    runs.wait();
    ui.frame(60);
    EXPECT_TRUE(ui.shows("running …"));
    ui.press(compat::Key::escape);
    EXPECT_FALSE(session.running());
    EXPECT_TRUE(ui.shows("cancelled"));
}

TEST_F(FrameTest, problems_are_counted_and_open_as_a_list) {
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        Scene scene = example_scene({}, request.kernel);
        auto report = std::make_shared<analysis::LaunchReport>(*scene.report);
        Problem problem;
        problem.kind = ProblemKind::out_of_bounds;
        problem.message = "Load of 4 bytes past the end of input.";
        problem.line = 14;
        problem.count = 3;
        report->problems = {problem};
        scene.report = std::move(report);
        return scene;
    };
    session.open_kernel("saxpy");
    settle();
    EXPECT_TRUE(ui.shows("1 problem"));
    ASSERT_TRUE(ui.click("count of problems"));
    EXPECT_TRUE(ui.shows("Load of 4 bytes past the end of input."));
    EXPECT_TRUE(ui.shows("line 14"));
    ASSERT_TRUE(ui.click("problem 0"));
    EXPECT_EQ(session.selection.chosen.source_line, 14u);
    ui.press(compat::Key::escape);
    EXPECT_FALSE(ui.find("problem 0"));
    EXPECT_TRUE(ui.shows("What is wrong")) << "the explanation still shows it for the selection";
}

TEST_F(FrameTest, a_question_mark_shows_the_keys_and_escape_hides_them) {
    ui.frame(2);
    ui.type("?");
    EXPECT_TRUE(ui.shows("Run the kernel again"));
    ui.press(compat::Key::escape);
    EXPECT_FALSE(ui.shows("Run the kernel again"));
    ASSERT_TRUE(ui.click("keys"));
    EXPECT_TRUE(ui.shows("Run the kernel again"));
}

TEST_F(FrameTest, splitters_move_what_is_remembered) {
    ui.frame(2);
    const HitBox* splitter = ui.find("splitter kernels");
    ASSERT_NE(splitter, nullptr);
    const float before = layout.kernels_width;
    const ImVec2 from = splitter->centre();
    ui.drag(from, {from.x + 40, from.y});
    EXPECT_NEAR(layout.kernels_width, before + 40, 2);
}

TEST_F(FrameTest, choosing_a_gpu_runs_for_it) {
    session.open_kernel("saxpy");
    settle();
    ASSERT_TRUE(ui.click("choose gpu"));
    const std::string other(gpu_specs().front().name == default_gpu().name ? gpu_specs().back().name
                                                                           : gpu_specs().front().name);
    ASSERT_TRUE(ui.click("choose gpu " + other));
    settle();
    EXPECT_EQ(script.requests.back().gpu, other);
}

TEST_F(FrameTest, a_changed_limit_runs_for_a_gpu_of_ones_own) {
    session.open_kernel("saxpy");
    settle();
    ASSERT_TRUE(ui.click("choose gpu"));
    ui.frame(2);
    ASSERT_TRUE(ui.click("knob KiB shared per SM -"));
    settle();
    EXPECT_EQ(script.requests.back().gpu, "H200 with shared=227KiB");
    ASSERT_TRUE(ui.click("knob KiB reserved per block -")) << "the list stays open";
    settle();
    EXPECT_EQ(script.requests.back().gpu, "H200 with shared=227KiB reserve=0");
    EXPECT_TRUE(ui.shows("H200 with shared=227KiB reserve=0")) << "the list names it";
    EXPECT_TRUE(ui.shows("H200, own limits")) << "and the toolbar in few words";
    ASSERT_TRUE(ui.click("choose gpu H200"));
    settle();
    EXPECT_EQ(script.requests.back().gpu, "H200");
}

TEST_F(FrameTest, theme_and_picture_buttons_ask_the_window) {
    session.open_kernel("transpose_tiled");
    settle();
    ASSERT_TRUE(ui.click("theme"));
    EXPECT_TRUE(frame.state.toggle_theme);
    ASSERT_TRUE(ui.click("picture"));
    ui.frame(2);
    EXPECT_FALSE(frame.state.take_picture) << "the dialog asks first";
    EXPECT_TRUE(ui.shows("transpose_tiled_banks.png")) << "the file's name";
    for (const char* choice : {"picture size 1920", "picture scale 3", "picture light", "picture svg"}) {
        ASSERT_TRUE(ui.click(choice)) << choice;
        ui.frame(2);
    }
    EXPECT_TRUE(ui.shows("transpose_tiled_banks.svg"));
    ASSERT_TRUE(ui.click("picture save"));
    EXPECT_EQ(frame.state.take_picture, PictureTarget::file);
    EXPECT_FALSE(frame.state.picture_dialog);
    const PictureOrder& order = frame.state.picture;
    EXPECT_EQ(picture_extents[order.extent].width, 1920);
    EXPECT_EQ(order.scale, 3);
    EXPECT_EQ(order.theme, ThemeName::light);
    EXPECT_TRUE(order.svg);

    frame.state.take_picture.reset();
    ASSERT_TRUE(ui.click("picture"));
    ui.frame(2);
    ui.press(compat::Key::escape);
    ui.frame(2);
    EXPECT_FALSE(frame.state.picture_dialog);
    EXPECT_FALSE(frame.state.take_picture);
    ASSERT_TRUE(ui.click("picture"));
    ui.frame(2);
    ui.press(compat::Key::enter);
    EXPECT_EQ(frame.state.take_picture, PictureTarget::file) << "as the last one";
}

TEST_F(FrameTest, the_name_of_a_picture_carries_the_knobs) {
    session.open_kernel("transpose_tiled");
    settle();
    Scene padded = *session.scene();
    padded.kernel = std::make_shared<const instrumentation::KernelFile>(*session.kernel());
    padded.parameters["PAD"] = std::int64_t{1};
    session.show(std::move(padded));
    ui.frame(2);
    EXPECT_EQ(picture_name(session, frame), "transpose_tiled_PAD=1_banks.png");
}

TEST_F(FrameTest, a_picture_is_copied_by_its_key_and_from_the_menu_under_the_mouse) {
    session.open_kernel("transpose_tiled");
    settle();
    compat::feed_ctrl(true);
    ImGui::GetIO().KeyShift = true;
    compat::feed_letter('C', true);
    ui.frame();
    compat::feed_letter('C', false);
    ImGui::GetIO().KeyShift = false;
    compat::feed_ctrl(false);
    ui.frame(2);
    EXPECT_EQ(frame.state.take_picture, PictureTarget::clipboard);
    EXPECT_TRUE(frame.state.notice.empty()) << "no text is copied";
}

TEST(frame, is_drawn_in_every_size_from_a_stamp_to_a_wall) {
    for (const ImVec2 size : {ImVec2(200, 150), ImVec2(800, 600), ImVec2(1280, 720), ImVec2(5120, 2880)}) {
        ScriptedRun script;
        Session session(example_catalogue(), script.run(), script.wake());
        Layout layout;
        Frame frame(session, layout);
        Headless ui([&](const Theme& theme) { frame.draw(theme); }, size, ThemeName::light,
                    size.x > 4000 ? 2.0f : 1.0f);
        session.show(example_scene({}, session.catalogue().back()));
        ui.frame(3);
        EXPECT_GT(ui.vertices(), 100) << size.x;
        const HitBox* knob = ui.find("knob W +");
        ASSERT_NE(knob, nullptr) << size.x;
        if (size.x >= 800) {
            EXPECT_LE(knob->max.x, size.x);
        }
    }
}

}  // namespace
}  // namespace warplens::app
