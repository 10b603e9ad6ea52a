#include "app/ui/splitter.h"

#include <cmath>
#include <string>

#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/separator.h"

namespace warplens::app {

float splitter_width(const Theme& theme) { return std::round(9 * theme.fonts.scale); }

float vertical_splitter(const Theme& theme, std::string_view name, float x, float top, float bottom) {
    const float width = splitter_width(theme);
    ImGui::SetCursorScreenPos({x, top});
    const std::string id(name);
    invisible_button(id.c_str(), {width, bottom - top});
    hit_box_of_item(name);
    const bool grabbed = ImGui::IsItemActive();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = std::floor(x + width / 2);
    if (grabbed || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        const float half = std::round(theme.fonts.scale);
        list.AddRectFilled({middle - half, top}, {middle + half + 1, bottom}, theme.text_dim);
    } else {
        draw_vertical_hairline(list, theme, middle, top, bottom);
    }
    return grabbed ? ImGui::GetIO().MouseDelta.x : 0;
}

float horizontal_splitter(const Theme& theme, std::string_view name, float y, float left, float right) {
    const float width = splitter_width(theme);
    ImGui::SetCursorScreenPos({left, y});
    const std::string id(name);
    invisible_button(id.c_str(), {right - left, width});
    hit_box_of_item(name);
    const bool grabbed = ImGui::IsItemActive();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = std::floor(y + width / 2);
    if (grabbed || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        const float half = std::round(theme.fonts.scale);
        list.AddRectFilled({left, middle - half}, {right, middle + half + 1}, theme.text_dim);
    } else {
        draw_horizontal_hairline(list, theme, left, right, middle);
    }
    return grabbed ? ImGui::GetIO().MouseDelta.y : 0;
}

}  // namespace warplens::app
