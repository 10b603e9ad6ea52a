// The headline: the largest text of a picture, smaller only where it does not fit.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/ui/text.h"
#include "app/views/shared/headline.h"
#include "tests/support/headless.h"

namespace warplens::app {
namespace {

/// Height of the number's line in a window of that width, in lines of the largest font.
float lines_of_number(float width, const std::string& number, const std::string& unit, float height = 600) {
    float largest = 0;
    Headless ui(
        [&](const Theme& theme) {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize({width, height});
            ImGui::Begin("headline", nullptr,
                         ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
            headline(theme, number, unit, "");
            largest = text_height(theme.fonts.headline);
            ImGui::End();
        },
        {width, height});
    ui.frame(2);
    const auto found = std::ranges::find(ui.texts(), number, &DrawnText::whole);
    if (found == ui.texts().end()) return 0;
    EXPECT_LE(found->max.x, width);
    return (found->max.y - found->min.y) / largest;
}

TEST(headline, is_in_the_largest_type_and_smaller_only_where_it_does_not_fit_with_its_unit) {
    EXPECT_FLOAT_EQ(lines_of_number(800, "14,379", "cycles"), 1);
    EXPECT_FLOAT_EQ(lines_of_number(752, "1,048,576 of 2,097,152", "excess wavefronts"), 1);
    EXPECT_LT(lines_of_number(400, "1,048,576 of 2,097,152", "excess wavefronts"), 0.6f);
}

TEST(headline, in_a_low_pane_is_one_line_of_a_title) {
    EXPECT_FLOAT_EQ(lines_of_number(800, "14,379", "cycles", 330), 0.5f);
}

TEST(headline, type_is_twice_the_title_s) {
    Headless ui([](const Theme&) {}, {100, 100});
    const Fonts& fonts = ui.theme().fonts;
    EXPECT_FLOAT_EQ(text_height(fonts.headline), 2 * text_height(fonts.title)) << "40 and 20 pixels";
}

}  // namespace
}  // namespace warplens::app
