#include "app/ui/arrow_button.h"

#include <cmath>

#include "app/ui/button.h"
#include "app/ui/invisible_button.h"
#include "app/ui/triangle.h"

namespace warplens::app {

float arrow_button_width(const Theme& theme) { return std::round(22 * theme.fonts.scale); }

bool arrow_button(const Theme& theme, const char* id, ImGuiDir direction, bool possible) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{arrow_button_width(theme), control_height(theme)};
    const ImVec2 end{at.x + size.x, at.y + size.y};
    ImGui::PushButtonRepeat(true);
    const bool clicked = invisible_button(id, size) && possible;
    ImGui::PopButtonRepeat();
    const bool hovered = ImGui::IsItemHovered() && possible;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (hovered) list.AddRectFilled(at, end, theme.hovered, 4 * theme.fonts.scale);
    draw_triangle(list, theme, at, end, direction,
                  possible ? (hovered ? theme.text : theme.text_dim) : with_alpha(theme.text_dim, 0.3));
    return clicked;
}

}  // namespace warplens::app
