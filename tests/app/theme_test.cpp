#include "app/ui/theme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace warplens::app {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB: normal, deuteranopia, protanopia,
// tritanopia.
constexpr Matrix sights[] = {
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

Triple times(const Matrix& matrix, const Triple& v) {
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out[i] += matrix[i][j] * v[j];
    return out;
}

/// Oklab of the colour as a person with that vision sees it.
Triple seen(ImU32 colour, const Matrix& sight) {
    Triple linear{};
    constexpr int shifts[] = {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = double((colour >> shifts[i]) & 255) / 255;
        linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    linear = times(sight, linear);
    for (double& c : linear) c = std::clamp(c, 0.0, 1.0);
    constexpr Matrix to_cones{{{0.4122214708, 0.5363325363, 0.0514459929},
                               {0.2119034982, 0.6806995451, 0.1073969566},
                               {0.0883024619, 0.2817188376, 0.6299787005}}};
    constexpr Matrix to_lab{{{0.2104542553, 0.7936177850, -0.0040720468},
                             {1.9779984951, -2.4285922050, 0.4505937099},
                             {0.0259040371, 0.7827717662, -0.8086757660}}};
    Triple cones = times(to_cones, linear);
    for (double& c : cones) c = std::cbrt(c);
    return times(to_lab, cones);
}

double distance(const Triple& a, const Triple& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

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

TEST_P(EveryTheme, warp_states_differ_for_every_kind_of_sight) {
    for (const Matrix& sight : sights)
        for (std::size_t i = 0; i < warp_state_count; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const WarpStateInfo &one = warp_states[i], &other = warp_states[j];
                EXPECT_GE(
                    distance(seen(theme.state(one.state), sight), seen(theme.state(other.state), sight)),
                    0.065)
                    << one.name << " and " << other.name;
            }
}

TEST_P(EveryTheme, issuing_stands_out_most) {
    const double issuing = contrast(theme.state(WarpState::selected), theme.background);
    EXPECT_GE(issuing, 7);
    for (const WarpStateInfo& info : warp_states) {
        const ImU32 fill = theme.state(info.state);
        EXPECT_GE(contrast(theme.text_on(fill), fill), 4.5) << info.name;
        EXPECT_GE(contrast(fill, theme.background), 1.3) << info.name;
        if (info.state == WarpState::selected) continue;
        EXPECT_LT(contrast(fill, theme.background), 0.8 * issuing) << info.name;
    }
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
