// Copying what is drawn, and definitions of what the mouse rests on.
#include "app/window/text_under_mouse.h"

#include <gmock/gmock.h>

#include "analysis/report/definitions.h"
#include "app/ui/letter_keys.h"
#include "app/ui/text.h"
#include "app/window/frame.h"
#include "core/glossary.h"
#include "tests/app/ctrl_key.h"
#include "tests/app/example_scene.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

/// A table of two columns, drawn as views do, with what the frame does around it.
class TextUnderMouseTest : public testing::Test {
  protected:
    static constexpr const char* long_words = "one sentence that is far too long for its place";
    FrameState state;
    TextUnderMouse texts;
    Headless ui{[this](const Theme& theme) {
        texts.begin_frame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({800, 400});
        ImGui::Begin("table", nullptr, ImGuiWindowFlags_NoDecoration);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        draw_text(list, theme.fonts.words, {20, 20}, theme.text, "wavefronts");
        draw_text(list, theme.fonts.words, {300, 20}, theme.text, "line");
        draw_text(list, theme.fonts.words, {20, 60}, theme.text, "32");
        draw_text(list, theme.fonts.words, {300, 60}, theme.text, "14");
        // A sentence word by word, as paragraphs are drawn.
        float x = 20;
        for (const char* word : {"Load ", "of ", "tile"}) {
            draw_text(list, theme.fonts.words, {x, 100}, theme.text, word);
            x += text_width(theme.fonts.words, word);
        }
        const std::string cut = fit_text(theme.fonts.words, long_words, 120);
        draw_text(list, theme.fonts.words, {20, 140}, theme.text, cut);
        ImGui::End();
        texts.end_frame(theme, state);
    }};

    void copy_at(ImVec2 at) {
        ui.move_mouse(at);
        ui.frame(2);
        press_ctrl(ui, 'C', 2);
    }
    void right_click_at(ImVec2 at) {
        ui.move_mouse(at);
        ui.frame(2);
        compat::feed_mouse_button(1, true);
        ui.frame();
        compat::feed_mouse_button(1, false);
        ui.frame(4);
    }
};

TEST_F(TextUnderMouseTest, ctrl_c_copies_the_number_under_the_mouse) {
    copy_at({24, 66});
    EXPECT_STREQ(ImGui::GetClipboardText(), "32");
    EXPECT_EQ(state.notice, "Copied “32”.");
    copy_at({700, 300});
    EXPECT_STREQ(ImGui::GetClipboardText(), "32") << "nothing is there";
    EXPECT_THAT(state.notice, HasSubstr("Nothing to copy here"));
}

TEST_F(TextUnderMouseTest, what_is_shortened_on_screen_is_copied_and_shown_in_full) {
    ui.frame(1);
    ASSERT_TRUE(ui.shows("…"));
    ASSERT_FALSE(ui.shows(long_words));
    copy_at({24, 146});
    EXPECT_STREQ(ImGui::GetClipboardText(), long_words);
    ui.frame(60);
    EXPECT_TRUE(ui.shows(long_words)) << "the mouse rests on it";
    right_click_at({24, 146});
    ASSERT_TRUE(ui.click("copy all"));
    EXPECT_THAT(std::string(ImGui::GetClipboardText()), HasSubstr(long_words));
}

TEST_F(TextUnderMouseTest, a_right_click_offers_the_row_and_the_whole_table) {
    right_click_at({304, 66});
    ASSERT_TRUE(ui.click("copy row"));
    EXPECT_STREQ(ImGui::GetClipboardText(), "32\t14");
    right_click_at({304, 66});
    ASSERT_TRUE(ui.click("copy all"));
    EXPECT_STREQ(ImGui::GetClipboardText(),
                 (std::string("wavefronts\tline\n32\t14\nLoad of tile\n") + long_words + "\n").c_str());
    EXPECT_FALSE(ui.find("copy all")) << "the menu closes";
    right_click_at({24, 106});
    ASSERT_TRUE(ui.click("copy row"));
    EXPECT_STREQ(ImGui::GetClipboardText(), "Load of tile") << "words of a sentence are joined by spaces";
}

TEST_F(TextUnderMouseTest, a_drag_with_the_right_button_is_not_a_click) {
    ui.move_mouse({24, 66});
    ui.frame(2);
    compat::feed_mouse_button(1, true);
    ui.frame();
    ui.move_mouse({200, 200});
    ui.frame();
    compat::feed_mouse_button(1, false);
    ui.frame(4);
    EXPECT_FALSE(ui.find("copy text"));
}

TEST_F(TextUnderMouseTest, a_term_is_defined_once_the_mouse_rests_on_it) {
    const std::string definition(find_term("wavefront")->definition);
    ui.move_mouse({30, 28});
    ui.frame(2);
    EXPECT_FALSE(ui.shows(definition)) << "not while it moves on";
    EXPECT_GT(state.due_in, 0) << "the window wakes for it";
    ui.frame(40);
    EXPECT_TRUE(ui.shows(definition));
    ui.move_mouse({305, 66});  // a plain number
    ui.frame(40);
    EXPECT_FALSE(ui.shows(definition));
}

/// In the window itself.
TEST(text_under_mouse, a_column_head_of_the_source_view_is_defined) {
    ScriptedRun script;
    Session session{example_catalogue(), script.run(), script.wake()};
    Layout layout;
    Frame frame{session, layout};
    Headless ui{[&](const Theme& theme) { frame.draw(theme); }, {1760, 1000}};
    session.open_kernel("transpose_tiled");
    script.wait();
    ui.frame(3);
    // Where "sectors" stands as a head, by what was drawn.
    ui.frame();
    const DrawnText* head = nullptr;
    for (const DrawnText& text : ui.texts())
        if (text.words == "sectors") head = &text;
    ASSERT_NE(head, nullptr);
    const ImVec2 at{(head->min.x + head->max.x) / 2, (head->min.y + head->max.y) / 2};
    ui.move_mouse(at);
    ui.frame(40);
    EXPECT_TRUE(ui.shows(std::string(find_term("sector")->definition)));
}

}  // namespace
}  // namespace warplens::app
