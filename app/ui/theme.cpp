#include "app/ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace warplens::app {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }
constexpr int channel(ImU32 colour, int shift) { return static_cast<int>((colour >> shift) & 255); }

// Okabe and Ito's eight, in an order that keeps neighbours apart; lightened or darkened until each stands out
// from its background by at least 3 to 1.
constexpr std::array<ImU32, 8> categories_dark{rgb(0x56b4e9), rgb(0xe69f00), rgb(0x12a67d), rgb(0xe0661c),
                                               rgb(0xcc79a7), rgb(0xf0e442), rgb(0x2f82c9), rgb(0x999fa8)};
constexpr std::array<ImU32, 8> categories_light{rgb(0x2b93cd), rgb(0xc07a00), rgb(0x008a63), rgb(0xc94f00),
                                                rgb(0xb65f91), rgb(0x9a8c00), rgb(0x0064a0), rgb(0x7a8089)};

// In the order of core/warp_state.def. Searched for a least distance between any two of 0.07 in Oklab, for
// normal sight and for the three kinds of colour blindness as Machado and others simulate them.
constexpr std::array<ImU32, warp_state_count> states_dark{
    rgb(0x7ff0b0), rgb(0x5c937d), rgb(0x65677a), rgb(0xbea139), rgb(0x69a7f0), rgb(0xb66f21),
    rgb(0x3a5c9c), rgb(0x874017), rgb(0x996dbd), rgb(0x643470), rgb(0xa09cb9), rgb(0x505455),
    rgb(0x2c313a), rgb(0x866549), rgb(0xaec4d8), rgb(0x4810b0)};
constexpr std::array<ImU32, warp_state_count> states_light{
    rgb(0x004d36), rgb(0x708f7d), rgb(0x9fa9ae), rgb(0xe6c95c), rgb(0x649fe9), rgb(0xcd9639),
    rgb(0x5279ba), rgb(0xb27f34), rgb(0xcfb9f2), rgb(0x785295), rgb(0xa288b6), rgb(0x6b737f),
    rgb(0xd3dde8), rgb(0x8f704a), rgb(0x594dc4), rgb(0xb828f8)};

// matplotlib's viridis and cividis, sampled evenly (both CC0).
constexpr std::array<ImU32, 11> viridis{rgb(0x440154), rgb(0x482475), rgb(0x414487), rgb(0x355f8d),
                                        rgb(0x2a788e), rgb(0x21918c), rgb(0x22a884), rgb(0x44bf70),
                                        rgb(0x7ad151), rgb(0xbddf26), rgb(0xfde725)};
constexpr std::array<ImU32, 10> cividis{rgb(0x00204d), rgb(0x00336f), rgb(0x39486b), rgb(0x575c6d),
                                        rgb(0x707173), rgb(0x8a8779), rgb(0xa69d75), rgb(0xc4b56c),
                                        rgb(0xe4cf5b), rgb(0xffea46)};

ImU32 along(std::span<const ImU32> stops, double t) {
    const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mix(stops[below], stops[below + 1], at - static_cast<double>(below));
}

double to_linear(int channel_value) {
    const double c = channel_value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double from_linear(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

double luminance(ImU32 colour) {
    static const auto linear = [] {
        std::array<double, 256> table{};
        for (int i = 0; i < 256; ++i) table[static_cast<std::size_t>(i)] = to_linear(i);
        return table;
    }();
    const auto at = [&](int shift) { return linear[static_cast<std::size_t>(channel(colour, shift))]; };
    return 0.2126 * at(IM_COL32_R_SHIFT) + 0.7152 * at(IM_COL32_G_SHIFT) + 0.0722 * at(IM_COL32_B_SHIFT);
}

/// Oklab's polar form (Björn Ottosson) to sRGB; chroma shrinks until the colour can be shown.
ImU32 from_oklch(double lightness, double chroma, double hue) {
    for (;; chroma -= 0.004) {
        const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
        const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
        const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
        const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
        const std::array<double, 3> linear{4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                                           -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                                           -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
        const bool shown = std::ranges::all_of(linear, [](double c) { return c >= 0 && c <= 1; });
        if (!shown && chroma > 0) continue;
        std::array<int, 3> out{};
        for (std::size_t i = 0; i < 3; ++i)
            out[i] = static_cast<int>(std::lround(255 * from_linear(std::clamp(linear[i], 0.0, 1.0))));
        return IM_COL32(out[0], out[1], out[2], 255);
    }
}

/// Once around the hues. Lightness runs once up and down across the red-green direction, which some eyes
/// cannot distinguish; the blue-yellow direction distinguishes the two halves.
std::array<ImU32, 32> make_banks(double lightness, double swing) {
    std::array<ImU32, 32> banks{};
    for (int i = 0; i < 32; ++i) {
        const double hue = 2 * std::numbers::pi * (i / 32.0 + 0.72);
        banks[static_cast<std::size_t>(i)] = from_oklch(lightness - swing * std::cos(hue), 0.145, hue);
    }
    return banks;
}

}  // namespace

ImU32 Theme::category(int index) const {
    const auto& set = name == ThemeName::dark ? categories_dark : categories_light;
    return set[static_cast<std::size_t>(index & 7)];
}

ImU32 Theme::amount(double t) const {
    return name == ThemeName::dark ? along(viridis, t) : along(cividis, 1 - t);
}

ImU32 Theme::bank(int bank) const {
    static const auto dark = make_banks(0.68, 0.11);
    static const auto light = make_banks(0.59, 0.10);
    return (name == ThemeName::dark ? dark : light)[static_cast<std::size_t>(bank & 31)];
}

ImU32 Theme::state(WarpState state) const {
    return (name == ThemeName::dark ? states_dark : states_light)[static_cast<std::size_t>(state)];
}

bool is_hatched(WarpState state) {
    return state == WarpState::math_pipe_throttle || state == WarpState::mio_throttle ||
           state == WarpState::lg_throttle || state == WarpState::membar;
}

ImU32 Theme::text_on(ImU32 fill) const {
    constexpr ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
    return contrast(black, fill) >= contrast(white, fill) ? black : white;
}

Theme make_theme(ThemeName name, const Fonts& fonts) {
    Theme theme;
    theme.name = name;
    theme.fonts = fonts;
    if (name == ThemeName::dark) {
        theme.background = rgb(0x16181d);
        theme.panel = rgb(0x1b1e24);
        theme.raised = rgb(0x272b34);
        theme.hairline = rgb(0x343944);
        theme.text = rgb(0xe6e8ec);
        theme.text_dim = rgb(0xa0a7b3);
        theme.text_on_fill = rgb(0x0e1013);
        theme.cost = rgb(0xff8a4c);
        theme.ideal = rgb(0x4fc3d9);
        theme.selected = rgb(0xffffff);
        theme.hovered = IM_COL32(255, 255, 255, 34);
        theme.inactive = rgb(0x5c6370);
        theme.error = rgb(0xff7b7b);
    } else {
        theme.background = rgb(0xfbfbf9);
        theme.panel = rgb(0xf4f4f1);
        theme.raised = rgb(0xe8e8e4);
        theme.hairline = rgb(0xd6d6d1);
        theme.text = rgb(0x1c1f24);
        theme.text_dim = rgb(0x565c66);
        theme.text_on_fill = rgb(0x0e1013);
        theme.cost = rgb(0xa93c08);
        theme.ideal = rgb(0x09647a);
        theme.selected = rgb(0x0b0d10);
        theme.hovered = IM_COL32(0, 0, 0, 24);
        theme.inactive = rgb(0xa4a8ae);
        theme.error = rgb(0xb01e1e);
    }
    return theme;
}

void apply(const Theme& theme) {
    ImGuiStyle style;
    style.WindowPadding = {0, 0};
    style.FramePadding = {8, 4};
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {8, 4};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 10;
    style.GrabMinSize = 12;
    style.WindowRounding = 0;
    style.ChildRounding = 0;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.ScrollbarRounding = 5;
    style.GrabRounding = 4;
    style.TabRounding = 4;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.DisabledAlpha = 0.5f;
    style.ScaleAllSizes(theme.fonts.scale);
    style.PopupBorderSize = 1;
    style.MouseCursorScale = 1;

    const auto set = [&](ImGuiCol slot, ImU32 colour) {
        style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(colour);
    };
    for (int slot = 0; slot < ImGuiCol_COUNT; ++slot) set(slot, theme.raised);
    set(ImGuiCol_Text, theme.text);
    set(ImGuiCol_TextDisabled, theme.text_dim);
    set(ImGuiCol_TextSelectedBg, with_alpha(theme.ideal, 0.35));
    set(ImGuiCol_WindowBg, theme.background);
    set(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_PopupBg, theme.panel);
    set(ImGuiCol_Border, theme.hairline);
    set(ImGuiCol_BorderShadow, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_Separator, theme.hairline);
    set(ImGuiCol_FrameBgHovered, mix(theme.raised, theme.text, 0.10));
    set(ImGuiCol_FrameBgActive, mix(theme.raised, theme.text, 0.16));
    set(ImGuiCol_ButtonHovered, mix(theme.raised, theme.text, 0.10));
    set(ImGuiCol_ButtonActive, mix(theme.raised, theme.text, 0.16));
    set(ImGuiCol_HeaderHovered, mix(theme.raised, theme.text, 0.08));
    set(ImGuiCol_HeaderActive, mix(theme.raised, theme.text, 0.14));
    set(ImGuiCol_CheckMark, theme.ideal);
    set(ImGuiCol_SliderGrab, theme.text_dim);
    set(ImGuiCol_SliderGrabActive, theme.text);
    set(ImGuiCol_ScrollbarBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_ScrollbarGrab, with_alpha(theme.text_dim, 0.35));
    set(ImGuiCol_ScrollbarGrabHovered, with_alpha(theme.text_dim, 0.6));
    set(ImGuiCol_ScrollbarGrabActive, with_alpha(theme.text_dim, 0.8));
    set(ImGuiCol_TableBorderLight, theme.hairline);
    set(ImGuiCol_TableBorderStrong, theme.hairline);
    set(ImGuiCol_TableHeaderBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_TableRowBg, IM_COL32_BLACK_TRANS);
    set(ImGuiCol_TableRowBgAlt, with_alpha(theme.raised, 0.35));
    set(ImGuiCol_PlotLines, theme.text);
    set(ImGuiCol_PlotHistogram, theme.category(0));
    set(ImGuiCol_ModalWindowDimBg, with_alpha(theme.background, 0.6));
    set(ImGuiCol_NavHighlight, theme.selected);
    ImGui::GetStyle() = style;
}

ImU32 mix(ImU32 a, ImU32 b, double t) {
    const double share = std::clamp(t, 0.0, 1.0);
    const auto at = [&](int shift) {
        const double from = channel(a, shift), to = channel(b, shift);
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return IM_COL32(at(IM_COL32_R_SHIFT), at(IM_COL32_G_SHIFT), at(IM_COL32_B_SHIFT), at(IM_COL32_A_SHIFT));
}

ImU32 with_alpha(ImU32 colour, double alpha) {
    const auto opacity = static_cast<ImU32>(std::lround(255 * std::clamp(alpha, 0.0, 1.0)));
    return (colour & ~IM_COL32_A_MASK) | (opacity << IM_COL32_A_SHIFT);
}

double contrast(ImU32 a, ImU32 b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

}  // namespace warplens::app
