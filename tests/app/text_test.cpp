// Texts that wrap: where lines end.
#include "app/ui/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/headless.h"

namespace warplens::app {
namespace {

TEST(text, wraps_at_blanks_never_inside_a_number_and_keeps_every_word) {
    Headless headless([](const Theme& theme) {
        ImFont* font = theme.fonts.words;
        const std::string words = "shared loads 32 → 1, 14,379 → 8,376 modelled cycles\n(−42 %), unchanged";
        for (float width = text_width(font, "unchanged") + 1; width < 600; width += 7) {
            const std::string lines = in_lines(font, words, width);
            EXPECT_THAT(lines, testing::HasSubstr("14,379")) << width;
            EXPECT_THAT(lines, testing::HasSubstr("cycles\n(−42")) << width;
            EXPECT_LE(text_size(font, lines).x, width + 1) << width;
            std::string joined = lines, expected = words;
            std::ranges::replace(joined, '\n', ' ');
            std::ranges::replace(expected, '\n', ' ');
            EXPECT_EQ(joined, expected) << width;
        }
        EXPECT_EQ(in_lines(font, "", 100), "");
        EXPECT_EQ(in_lines(font, "  indented\n\nafter", 500), "  indented\n\nafter");
        // A word wider than the line is broken, a line narrower than a character ends all the same.
        const std::string broken = in_lines(font, "abcdefghijklmnop", text_width(font, "abcdef"));
        EXPECT_THAT(broken, testing::HasSubstr("\n"));
        EXPECT_EQ(in_lines(font, "ab cd", 1), "ab\ncd");
    });
    headless.frame(1);
}

TEST(text, that_does_not_fit_ends_before_a_number_not_inside_it) {
    Headless headless([](const Theme& theme) {
        ImFont* font = theme.fonts.words;
        const std::string words = "in 14,379 cycles, 0.62 a byte";
        for (float width = 1; width < text_width(font, words); width += 1) {
            const std::string drawn = fit_text(font, words, width);
            EXPECT_THAT(drawn, testing::Not(testing::ContainsRegex("[0-9 ,.]…$"))) << width;
        }
        EXPECT_EQ(fit_text(font, words, text_width(font, "in 14,379…") + 1), "in…");
        EXPECT_EQ(fit_text(font, words, text_width(font, "in 14,379 cyc…") + 1), "in 14,379 cyc…");
        EXPECT_EQ(fit_text(font, "14,379", text_width(font, "14,37")), "…");
    });
    headless.frame(1);
}

TEST(text, keeps_a_number_and_its_unit_on_one_line) {
    const std::string words = "Waits take 46 % of 275 µs; 3 streams hide 100 % of 4.8 TB/s";
    Headless headless([&](const Theme& theme) {
        ImFont* font = theme.fonts.words;
        for (float width = text_width(font, "streams") + 1; width < 600; width += 3) {
            const std::string lines = in_lines(font, words, width);
            EXPECT_THAT(lines, testing::Not(testing::ContainsRegex("[0-9]\n(%|µs|TB)"))) << width;
        }
        EXPECT_THAT(in_lines(font, words, text_width(font, "Waits take 46 % of 275 µs; 3") + 1),
                    testing::HasSubstr("3\nstreams"))
            << "a word is not a unit";
    });
    headless.frame(1);
}

TEST(text, of_a_title_keeps_a_number_and_its_unit_on_one_line) {
    Headless headless([](const Theme& theme) {
        ImFont* font = theme.fonts.title;
        const float number = text_width(font, "about 100");
        ASSERT_LT(text_width(font, "100 %"), number);
        ImGui::Begin("stage");
        // The first line has room for "about 100": the number waits for its unit.
        rich_text(theme, font, theme.fonts.code_title, theme.text, "about 100 %", number + 2);
        const ImVec2 kept = ImGui::GetItemRectSize();
        rich_text(theme, font, theme.fonts.code_title, theme.text, "about 100 x", number + 2);
        const ImVec2 broken = ImGui::GetItemRectSize();
        ImGui::End();
        EXPECT_FLOAT_EQ(kept.y, broken.y) << "two lines each";
        EXPECT_LT(kept.x, number - 2);
        EXPECT_NEAR(broken.x, number, 1);
    });
    headless.frame(1);
}

TEST(text, of_a_title_wraps_into_lines_about_equally_long_and_keeps_its_code_whole) {
    Headless headless([](const Theme& theme) {
        ImFont *words = theme.fonts.title, *code = theme.fonts.code_title;
        const std::string title =
            "`histogram_shared`: threads use 320 KiB of global memory; 512 KiB move between the SMs and DRAM";
        ImGui::Begin("stage");
        const auto size_in = [&](float width) {
            rich_text(theme, words, code, theme.text, title, width);
            return ImGui::GetItemRectSize();
        };
        const ImVec2 line = size_in(4000);
        EXPECT_EQ(even_width(theme, words, code, title, line.x + 1), line.x + 1) << "one line stays as it is";
        // Room for all but the last word.
        const float room = line.x - 4;
        const float even = even_width(theme, words, code, title, room);
        const float height = size_in(room).y;
        EXPECT_GT(height, line.y + 1);
        EXPECT_EQ(size_in(even).y, height) << "as many lines";
        EXPECT_LT(even, room * 0.7f);
        EXPECT_GT(size_in(even - 3).y, height) << "the least such width";
        // Narrower lines would cut the code.
        const std::string long_code = "Load of `data[threadIdx.y * 1024 + threadIdx.x]` here";
        const float narrow = text_width(code, "data[threadIdx.y * 1024 + threadIdx.x]") + 8;
        EXPECT_GE(even_width(theme, words, code, long_code, narrow + 40), narrow - 3);
        ImGui::End();
    });
    headless.frame(1);
}

TEST(text, of_several_lines_is_centred_as_a_whole_and_in_lines_of_like_length) {
    constexpr float left = 40, room = 460;
    Headless headless([](const Theme& theme) {
        ImGui::SetNextWindowPos({0, 0});
        ImGui::Begin("text");
        ImGui::SetCursorScreenPos({left, 20});
        rich_text_centred(
            theme, theme.fonts.words, theme.fonts.code, theme.text,
            "This view shows shuffles, votes and matches, lane by lane. `warp_reduce` has some.", room);
        ImGui::End();
    });
    headless.frame(2);
    ASSERT_EQ(headless.texts().size(), 1u);
    const DrawnText& text = headless.texts().front();
    EXPECT_NEAR((text.min.x + text.max.x) / 2, left + room / 2, 2);
    EXPECT_GT(text.min.x, left + 60) << "two lines of half the text each, not one and a rest";
    EXPECT_GT(text.max.y - text.min.y, 1.5f * text_height(headless.theme().fonts.words)) << "two lines";
}

}  // namespace
}  // namespace warplens::app
