#include "app/ui/button.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/ui/triangle.h"

namespace warplens::app {
namespace {

float inner_space(const Theme& theme) { return std::round(10 * theme.fonts.scale); }
float small_space(const Theme& theme) { return std::round(6 * theme.fonts.scale); }

float triangle_width(const Theme& theme) { return std::round(9 * theme.fonts.scale); }

/// An invisible button with the surface that its state asks for.
bool surface(const Theme& theme, std::string_view name, float width, std::string_view help, bool open) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end{at.x + width, at.y + control_height(theme)};
    const std::string id(name);
    const bool clicked = invisible_button(id.c_str(), {width, control_height(theme)});
    hit_box_of_item(name);
    const bool hovered = ImGui::IsItemHovered();
    ImU32 fill = theme.raised;
    if (ImGui::IsItemActive() || open) fill = mix(theme.raised, theme.text, 0.16);
    else if (hovered) fill = mix(theme.raised, theme.text, 0.08);
    ImGui::GetWindowDrawList()->AddRectFilled(at, end, fill, 4 * theme.fonts.scale);
    if (hovered && !open && !help.empty()) tooltip_card(theme, help);
    return clicked;
}

}  // namespace

float control_height(const Theme& theme) { return std::round(28 * theme.fonts.scale); }

float text_button_width(const Theme& theme, std::string_view words) {
    return std::ceil(text_width(theme.fonts.words, words)) + 2 * inner_space(theme);
}

bool text_button(const Theme& theme, std::string_view name, std::string_view words, std::string_view help) {
    const float width = text_button_width(theme, words);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = surface(theme, name, width, help, false);
    draw_text_centred(*ImGui::GetWindowDrawList(), theme.fonts.words, at,
                      {at.x + width, at.y + control_height(theme)}, theme.text, words);
    return clicked;
}

float chooser_width(const Theme& theme, std::string_view caption, std::string_view value) {
    float width = 2 * inner_space(theme) + std::ceil(text_width(theme.fonts.words, value)) +
                  small_space(theme) + triangle_width(theme);
    if (!caption.empty()) width += std::ceil(text_width(theme.fonts.words, caption)) + small_space(theme);
    return width;
}

bool begin_chooser(const Theme& theme, std::string_view name, std::string_view caption,
                   std::string_view value, std::string_view help) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = chooser_width(theme, caption, value), height = control_height(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string popup = std::string(name) + " list";
    if (surface(theme, name, width, help, ImGui::IsPopupOpen(popup.c_str()))) ImGui::OpenPopup(popup.c_str());
    const float text_top = at.y + std::round((height - text_height(theme.fonts.words)) / 2);
    float x = at.x + inner_space(theme);
    if (!caption.empty()) {
        draw_text(list, theme.fonts.words, {x, text_top}, theme.text_dim, caption);
        x += std::ceil(text_width(theme.fonts.words, caption)) + small_space(theme);
    }
    draw_text(list, theme.fonts.words, {x, text_top}, theme.text, value);
    const float triangle_end = at.x + width - inner_space(theme);
    draw_triangle(list, theme, {triangle_end - triangle_width(theme), at.y}, {triangle_end, at.y + height},
                  ImGuiDir_Down, theme.text_dim);
    const float scale = theme.fonts.scale;
    // A list that is wider than its button stays inside the window, as soon as its width is known.
    float& shown_width = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(popup.c_str()), width);
    const float most = std::max(ImGui::GetIO().DisplaySize.x - shown_width, 0.0f);
    ImGui::SetNextWindowPos({std::min(at.x, most), at.y + height + std::round(4 * scale)});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {720 * scale, 560 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {6 * scale, 6 * scale});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (ImGui::BeginPopup(popup.c_str())) {
        if (compat::key_pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
        shown_width = ImGui::GetWindowWidth();
        return true;
    }
    ImGui::PopStyleVar(2);
    return false;
}

bool chooser_item(const Theme& theme, std::string_view name, std::string_view words, std::string_view detail,
                  bool current) {
    const float scale = theme.fonts.scale;
    const float gap = std::round(12 * scale), pad = std::round(8 * scale), height = std::round(26 * scale);
    const float words_width = std::ceil(text_width(theme.fonts.words, words));
    float width = words_width + 2 * pad;
    if (!detail.empty()) width += gap + std::ceil(text_width(theme.fonts.small, detail));
    width = std::max(width, ImGui::GetContentRegionAvail().x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string id(name);
    const bool clicked = invisible_button(id.c_str(), {width, height});
    hit_box_of_item(name);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered() || current)
        list.AddRectFilled(at, {at.x + width, at.y + height},
                           ImGui::IsItemHovered() ? theme.raised : with_alpha(theme.raised, 0.6), 4 * scale);
    draw_text(list, theme.fonts.words,
              {at.x + pad, at.y + std::round((height - text_height(theme.fonts.words)) / 2)}, theme.text,
              words);
    if (!detail.empty())
        draw_text_right(
            list, theme.fonts.small,
            {at.x + width - pad, at.y + std::round((height - text_height(theme.fonts.small)) / 2)},
            theme.text_dim, detail);
    if (clicked) ImGui::CloseCurrentPopup();
    return clicked;
}

void end_chooser() {
    ImGui::EndPopup();
    ImGui::PopStyleVar(2);
}

}  // namespace warplens::app
