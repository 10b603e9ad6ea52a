// F6 moves the keyboard between the panes, and arrows and Enter then work in the pane that is marked.
#include <gtest/gtest.h>

#include "app/session/own_file/own_file.h"
#include "app/ui/view_keys.h"
#include "app/window/frame.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

class PaneFocus : public testing::Test {
  protected:
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[this](const Theme& theme) { frame.draw(theme); }, {1920, 1080}};

    PaneFocus() {
        session.open_kernel("transpose_tiled");
        settle();
    }
    void settle() {
        script.wait();
        ui.frame(3);
    }
    void press_f6(bool back = false) {
        ImGui::GetIO().KeyShift = back;
        compat::feed_view_key(compat::ViewKey::next_pane, true);
        ui.frame();
        compat::feed_view_key(compat::ViewKey::next_pane, false);
        ImGui::GetIO().KeyShift = false;
        ui.frame(2);
    }
    void focus(Pane pane) {
        for (int i = 0; i < 8 && frame.state.focused_pane != pane; ++i) press_f6();
        ASSERT_EQ(frame.state.focused_pane, pane);
    }
};

TEST_F(PaneFocus, f6_visits_every_pane_in_turn_and_marks_it) {
    EXPECT_EQ(ui.find("focus mark"), nullptr);
    std::vector<Pane> visited;
    for (int i = 0; i < 6; ++i) {
        press_f6();
        visited.push_back(frame.state.focused_pane);
        ASSERT_NE(ui.find("focus mark"), nullptr) << i;
    }
    EXPECT_EQ(visited, (std::vector<Pane>{Pane::knobs, Pane::kernels, Pane::source, Pane::centre,
                                          Pane::explain, Pane::bottom}));
    press_f6();
    EXPECT_EQ(frame.state.focused_pane, Pane::knobs);
    press_f6(true);
    EXPECT_EQ(frame.state.focused_pane, Pane::bottom);
    ui.press(compat::Key::escape);
    EXPECT_EQ(frame.state.focused_pane, Pane::none);
    EXPECT_EQ(ui.find("focus mark"), nullptr);
    press_f6();
    ui.click_at({1200, 300});
    EXPECT_EQ(frame.state.focused_pane, Pane::none) << "the mouse took over";
}

TEST_F(PaneFocus, arrows_choose_a_knob_and_turn_it) {
    focus(Pane::knobs);
    EXPECT_EQ(frame.state.focused_knob, "TILE");
    ui.press(compat::Key::down);
    EXPECT_EQ(frame.state.focused_knob, "PAD");
    ui.press(compat::Key::right);
    settle();
    EXPECT_EQ(script.requests.back().overrides.at("PAD"), "1");
    ui.press(compat::Key::enter);
    ui.frame(2);
    EXPECT_NE(ui.find("field PAD"), nullptr) << "Enter lets a value be typed";
}

TEST_F(PaneFocus, arrows_move_through_the_kernels_and_enter_opens_one) {
    focus(Pane::kernels);
    const auto runs = script.requests.size();
    ui.press(compat::Key::up);
    EXPECT_EQ(script.requests.size(), runs) << "moving opens nothing";
    ui.press(compat::Key::enter);
    settle();
    EXPECT_EQ(session.kernel()->name, "saxpy");
    ui.press(compat::Key::right);
    ui.frame(3);
    EXPECT_EQ(script.requests.size(), runs + 1) << "knobs do not turn while another pane has the keyboard";
}

TEST_F(PaneFocus, arrows_select_the_next_line_and_change_the_view) {
    focus(Pane::source);
    const std::uint32_t before = session.selection.chosen.source_line;
    ui.press(compat::Key::up);
    ui.press(compat::Key::up);
    EXPECT_LT(session.selection.chosen.source_line, before);
    focus(Pane::centre);
    const std::string view = frame.state.centre_view;
    ui.press(compat::Key::right);
    EXPECT_NE(frame.state.centre_view, view);
    ui.press(compat::Key::left);
    EXPECT_EQ(frame.state.centre_view, view);
}

TEST(source_pane, a_kernel_of_the_catalogue_closes_the_editor_and_the_own_files_changes_are_kept) {
    Session session{example_catalogue(), {}, {}};
    OwnFile own{session,
                [](const instrumentation::KernelFile&) -> Result<std::vector<instrumentation::EntryFacts>> {
                    return std::vector<instrumentation::EntryFacts>{};
                }};
    Layout layout;
    Frame frame{session, layout};
    frame.set_own_file(&own);
    Headless ui{[&](const Theme& theme) { frame.draw(theme); }, {1760, 1200}};
    const auto first = session.catalogue().front();
    own.copy(*first);
    ui.frame(2);
    frame.state.editing = true;
    const std::string text = own.text() + "// more\n";
    own.edit(text, 0);
    ui.frame(2);
    ASSERT_NE(ui.find("editor source text"), nullptr);
    ASSERT_TRUE(own.is_shown());
    session.open_kernel(first->name);
    ui.frame(3);
    EXPECT_FALSE(frame.state.editing);
    EXPECT_EQ(ui.find("editor source text"), nullptr);
    EXPECT_EQ(own.text(), text);
    EXPECT_TRUE(own.is_changed());
    frame.state.editing = true;  // a person opens it again
    ui.frame(3);
    EXPECT_TRUE(frame.state.editing);
}

}  // namespace
}  // namespace warplens::app
