#include "app/theme.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens::app {
namespace {

class EveryTheme : public testing::TestWithParam<ThemeName> {
  protected:
    Theme theme = make_theme(GetParam(), {});
};

TEST_P(EveryTheme, words_stand_out_from_every_surface) {
    for (const ImU32 surface : {theme.background, theme.panel, theme.raised})
        for (const ImU32 words : {theme.text, theme.text_dim, theme.error, theme.cost, theme.ideal})
            EXPECT_GE(contrast(words, surface), 4.5) << std::hex << words << " on " << surface;
}

TEST_P(EveryTheme, words_on_any_fill_can_be_read) {
    for (int i = 0; i < 8; ++i) EXPECT_GE(contrast(theme.text_on(theme.category(i)), theme.category(i)), 4.5);
    for (int i = 0; i < 32; ++i) EXPECT_GE(contrast(theme.text_on(theme.bank(i)), theme.bank(i)), 4.5);
    for (int i = 0; i <= 20; ++i) {
        const ImU32 fill = theme.amount(i / 20.0);
        EXPECT_GE(contrast(theme.text_on(fill), fill), 4.5);
    }
}

TEST_P(EveryTheme, categories_stand_out_from_the_background) {
    for (int i = 0; i < 8; ++i) EXPECT_GE(contrast(theme.category(i), theme.background), 3) << i;
}

TEST_P(EveryTheme, larger_amounts_stand_out_more_from_the_background) {
    for (int i = 0; i < 10; ++i)
        EXPECT_LT(contrast(theme.amount(i / 10.0), theme.background),
                  contrast(theme.amount((i + 1) / 10.0), theme.background));
}

TEST_P(EveryTheme, the_32_banks_have_32_colours_and_wrap_around) {
    std::set<ImU32> colours;
    for (int i = 0; i < 32; ++i) {
        colours.insert(theme.bank(i));
        EXPECT_GE(contrast(theme.bank(i), theme.background), 2.5) << i;
    }
    EXPECT_EQ(colours.size(), 32u);
    const auto distance = [&](int a, int b) {
        int sum = 0;
        for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
            sum += std::abs(static_cast<int>((theme.bank(a) >> shift) & 255) -
                            static_cast<int>((theme.bank(b) >> shift) & 255));
        return sum;
    };
    for (int i = 0; i < 32; ++i) EXPECT_LT(distance(i, i + 1), distance(i, i + 8)) << i;
}

INSTANTIATE_TEST_SUITE_P(themes, EveryTheme, testing::Values(ThemeName::dark, ThemeName::light),
                         [](const auto& tested) {
                             return tested.param == ThemeName::dark ? "dark" : "light";
                         });

TEST(colours, mixing_meets_in_the_middle_and_keeps_both_ends) {
    constexpr ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
    EXPECT_EQ(mix(black, white, 0), black);
    EXPECT_EQ(mix(black, white, 1), white);
    EXPECT_EQ(mix(black, white, 0.5), IM_COL32(128, 128, 128, 255));
    EXPECT_EQ(with_alpha(white, 0), IM_COL32(255, 255, 255, 0));
    EXPECT_NEAR(contrast(black, white), 21, 1e-9);
}

}  // namespace
}  // namespace warplens::app
