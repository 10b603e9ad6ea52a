// Undo and redo of knobs and selection, by keys in the window.
#include "app/session/setting_history.h"

#include <gtest/gtest.h>

#include "app/ui/letter_keys.h"
#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

class SettingHistoryTest : public testing::Test {
  protected:
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }};

    void SetUp() override {
        session.open_kernel("transpose_tiled");
        settle();
    }
    void settle() {
        script.wait();
        ui.frame(3);
    }
    /// So that the next change is a step of its own.
    void pause() {
        ImGui::GetIO().DeltaTime = 2;
        ui.frame();
        ImGui::GetIO().DeltaTime = 1.0f / 60;
    }
    void press_z(bool shift = false) {
        compat::feed_ctrl(true);
        ImGui::GetIO().KeyShift = shift;
        compat::feed_letter('Z', true);
        ui.frame();
        compat::feed_letter('Z', false);
        compat::feed_ctrl(false);
        ImGui::GetIO().KeyShift = false;
        ui.frame(2);
    }
    std::string knob(std::size_t index) const { return session.value(session.kernel()->parameters[index]); }
    void set(const char* name, const char* value) {
        pause();
        session.set_parameter(name, value);
        ui.frame();
        settle();
    }
};

TEST_F(SettingHistoryTest, ctrl_z_takes_a_knob_back_and_ctrl_shift_z_turns_it_again) {
    set("PAD", "1");
    set("TILE", "16");
    press_z();
    settle();
    EXPECT_EQ(knob(0), "32");
    EXPECT_EQ(knob(1), "1");
    press_z();
    settle();
    EXPECT_EQ(knob(1), "0");
    press_z();  // nothing left
    EXPECT_EQ(knob(1), "0");
    press_z(true);
    settle();
    EXPECT_EQ(knob(1), "1");
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
    set("PAD", "2");
    press_z(true);
    EXPECT_EQ(knob(0), "32") << "a new change leaves nothing to redo";
}

TEST_F(SettingHistoryTest, steps_of_one_knob_within_a_second_are_one) {
    for (const char* value : {"1", "2", "3"}) {
        session.set_parameter("PAD", value);
        ui.frame();
        settle();
    }
    press_z();
    settle();
    EXPECT_EQ(knob(1), "0");
    EXPECT_FALSE(frame.history.can_undo());
}

TEST_F(SettingHistoryTest, a_selection_is_undone_and_one_that_a_run_made_is_not_a_step) {
    EXPECT_FALSE(frame.history.can_undo()) << "the run selected something by itself";
    const Spot by_default = session.selection.chosen;
    Spot mine = by_default;
    mine.lane = 7;
    session.selection.chosen = mine;
    ui.frame();
    pause();
    set("PAD", "1");
    press_z();
    settle();
    EXPECT_EQ(session.selection.chosen, mine) << "as it was selected with the knob's old value";
    press_z();
    EXPECT_EQ(session.selection.chosen, by_default);
    press_z(true);
    EXPECT_EQ(session.selection.chosen, mine);
}

TEST_F(SettingHistoryTest, each_kernel_has_its_own_steps) {
    set("PAD", "1");
    pause();
    session.open_kernel("saxpy");
    settle();
    EXPECT_FALSE(frame.history.can_undo());
    press_z();
    EXPECT_EQ(session.kernel()->name, "saxpy");
    session.open_kernel("transpose_tiled");
    settle();
    press_z();
    settle();
    EXPECT_EQ(knob(1), "0");
}

TEST_F(SettingHistoryTest, a_spot_of_another_run_is_not_selected_where_it_does_not_exist) {
    Spot mine = session.selection.chosen;
    mine.lane = 3;
    session.selection.chosen = mine;
    ui.frame();
    pause();
    session.set_parameter("PAD", "1");
    ui.frame();
    settle();
    // The same knobs give a kernel without any request now.
    script.answer = [](const RunRequest& request, const std::function<bool()>&) -> Result<Scene> {
        Scene scene = example_scene(trace::ExampleShape::tiny(), request.kernel);
        auto empty = std::make_shared<trace::Trace>(*scene.trace);
        empty->warps.clear();
        empty->visits.clear();
        empty->accesses.clear();
        empty->masks.clear();
        scene.trace = std::move(empty);
        return scene;
    };
    press_z();
    settle();
    EXPECT_EQ(session.selection.chosen.access, no_access);
    EXPECT_GT(ui.vertices(), 0);
}

}  // namespace
}  // namespace warplens::app
