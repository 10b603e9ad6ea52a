// The editor: colours, search, costs, marks, and the caret after Ctrl+Enter.
#include "app/ui/code_editor.h"

#include <gmock/gmock.h>

#include "app/ui/cuda_spans.h"
#include "app/ui/letter_keys.h"
#include "app/ui/text.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

using testing::ElementsAre;

std::vector<std::pair<std::string, CudaWord>> spans_of(std::string_view line, bool in_comment = false) {
    std::vector<std::pair<std::string, CudaWord>> spans;
    for (const CudaSpan& span : cuda_spans(line, in_comment))
        if (span.text.find_first_not_of(' ') != std::string_view::npos)
            spans.emplace_back(span.text, span.word);
    return spans;
}

TEST(cuda_spans, words_have_their_kind) {
    EXPECT_THAT(spans_of("float x=0x1Fu; // sum"),
                ElementsAre(std::pair("float", CudaWord::keyword), std::pair(" x=", CudaWord::plain),
                            std::pair("0x1Fu", CudaWord::literal), std::pair("; ", CudaWord::plain),
                            std::pair("// sum", CudaWord::comment)));
    EXPECT_THAT(spans_of("#pragma unroll"), ElementsAre(std::pair("#pragma", CudaWord::directive),
                                                        std::pair(" unroll", CudaWord::plain)));
    EXPECT_THAT(spans_of("__syncthreads();"), ElementsAre(std::pair("__syncthreads", CudaWord::builtin),
                                                          std::pair("();", CudaWord::plain)));
    EXPECT_THAT(spans_of("\"a // b\""), ElementsAre(std::pair("\"a // b\"", CudaWord::literal)));
    EXPECT_THAT(spans_of("1.5e-3f"), ElementsAre(std::pair("1.5e-3f", CudaWord::literal)));
    EXPECT_THAT(spans_of("end */ if", true),
                ElementsAre(std::pair("end */", CudaWord::comment), std::pair("if", CudaWord::keyword)));
    bool open = false;
    cuda_spans("x /* begins", open);
    EXPECT_TRUE(open);
}

TEST(cuda_spans, the_spans_are_the_line_and_legible) {
    for (const std::string_view line :
         {"", "\"open", "'\\", "a[b] = c->d<<<1, 2>>>(e); /**/ # x", "0x", "ä ö"}) {
        bool open = false;
        std::string all;
        for (const CudaSpan& span : cuda_spans(line, open)) all += span.text;
        EXPECT_EQ(all, line);
    }
    for (const ThemeName name : {ThemeName::dark, ThemeName::light}) {
        const Theme theme = make_theme(name, {});
        for (int word = 0; word <= static_cast<int>(CudaWord::directive); ++word)
            EXPECT_GE(contrast(colour_of(theme, static_cast<CudaWord>(word)), theme.background), 4.5) << word;
    }
}

class CodeEditorTest : public testing::Test {
  protected:
    CodeEditorState state;
    CodeEditorResult result;
    std::vector<EditorMark> marks;
    std::vector<EditorHeat> heat;
    bool ran = false;
    Headless ui{
        [this](const Theme& theme) {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin("editor", nullptr, ImGuiWindowFlags_NoDecoration);
            if (compat::ctrl_with('F')) state.find.open();
            result = code_editor(theme, "text", ImGui::GetContentRegionAvail(), state, {marks, heat, 0});
            ran = ran || result.run;
            ImGui::End();
        },
        {640, 400}};

    void write(int lines) {
        std::string text;
        for (int i = 1; i <= lines; ++i) text += "value[" + std::to_string(i) + "] = Sum;\n";
        set_text(state, text, false);
        ui.frame(2);
    }
    void press_ctrl(char letter) {
        compat::feed_ctrl(true);
        compat::feed_letter(letter, true);
        ui.frame();
        compat::feed_letter(letter, false);
        compat::feed_ctrl(false);
        ui.frame(2);
    }
    void activate() {
        state.focus = true;
        ui.frame(3);
        ASSERT_TRUE(state.active);
    }
};

TEST_F(CodeEditorTest, find_counts_the_matches_and_goes_to_the_next_and_the_previous) {
    write(60);
    activate();
    press_ctrl('F');
    ASSERT_NE(ui.find("find field"), nullptr);
    ui.type("sum");
    EXPECT_TRUE(ui.shows("1 of 60")) << "upper and lower case are the same";
    ui.press(compat::Key::enter);
    EXPECT_TRUE(ui.shows("2 of 60"));
    ASSERT_TRUE(ui.click("find next"));
    ASSERT_TRUE(ui.click("find next"));
    ASSERT_TRUE(ui.click("find previous"));
    EXPECT_TRUE(ui.shows("3 of 60"));
    ASSERT_TRUE(ui.click("find field"));
    ui.press(compat::Key::escape);
    ui.frame(4);
    EXPECT_EQ(ui.find("find field"), nullptr);
    ASSERT_TRUE(state.active) << "the text has the keyboard again";
    ui.type("Mean");
    EXPECT_THAT(state.text, testing::HasSubstr("value[3] = Mean;")) << "the match was selected";
    press_ctrl('F');
    ui.type("nowhere");
    EXPECT_TRUE(ui.shows("no match"));
}

TEST_F(CodeEditorTest, ctrl_enter_keeps_caret_scroll_and_error) {
    write(80);
    marks = {{41, "error: an identifier is undefined"}};
    activate();
    const std::size_t at = state.text.find("value[40]") + 5;
    state.select = TextRange{at, at};
    ui.frame(4);
    ASSERT_EQ(state.cursor, static_cast<int>(at));
    const HitBox* box = ui.find("editor text");
    ASSERT_NE(box, nullptr);
    const auto line_heights = [&] {
        std::vector<float> tops;
        for (const DrawnText& text : ui.texts())
            if (text.words == "41") tops.push_back(text.min.y);
        return tops;
    };
    const auto before = line_heights();
    ASSERT_EQ(before.size(), 1u);
    compat::feed_ctrl(true);
    compat::feed_key(compat::Key::enter, true);
    ui.frame();
    compat::feed_key(compat::Key::enter, false);
    compat::feed_ctrl(false);
    ui.frame(6);
    EXPECT_TRUE(ran);
    EXPECT_TRUE(state.active);
    EXPECT_EQ(state.cursor, static_cast<int>(at));
    EXPECT_EQ(line_heights(), before);
    EXPECT_TRUE(ui.shows("an identifier is undefined"));
    ui.type("X");
    EXPECT_THAT(state.text, testing::HasSubstr("valueX[40]"));
}

TEST_F(CodeEditorTest, the_error_stands_beside_its_line_or_under_the_mouse) {
    set_text(state, "short;\nlong" + std::string(200, 'x') + ";\n", false);
    marks = {{1, "first reason"}, {2, "second reason"}};
    ui.frame(2);
    EXPECT_TRUE(ui.shows("first reason"));
    EXPECT_FALSE(ui.shows("second reason")) << "it would cover the code";
    const HitBox* box = ui.find("editor text");
    ASSERT_NE(box, nullptr);
    for (const DrawnText& text : ui.texts()) {
        const bool is_message = text.words == "first reason";
        if (is_message) {
            EXPECT_GT(text.min.x, box->min.x + text_width(ui.theme().fonts.code, "short;"));
        }
    }
    const float row = text_height(ui.theme().fonts.code);
    ui.move_mouse({box->min.x + 200, box->min.y + 1.5f * row});
    ui.frame(3);
    EXPECT_TRUE(ui.shows("second reason"));
}

TEST_F(CodeEditorTest, costs_stand_next_to_the_line_numbers) {
    heat = {{2, 1.0, "8.9k"}};
    write(4);
    EXPECT_NE(ui.find("editor heat 2"), nullptr);
    EXPECT_EQ(ui.find("editor heat 3"), nullptr);
    EXPECT_TRUE(ui.shows("8.9k"));
}

}  // namespace
}  // namespace warplens::app
