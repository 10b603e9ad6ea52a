#include "app/ui/separator.h"

#include <algorithm>
#include <cmath>

namespace warplens::app {
namespace {

float thickness(const Theme& theme) { return std::max(1.0f, std::floor(theme.fonts.scale)); }

}  // namespace

void hairline(const Theme& theme, float space) {
    const float gap = std::round(space * theme.fonts.scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_horizontal_hairline(*ImGui::GetWindowDrawList(), theme, at.x, at.x + width, at.y + gap);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Dummy({width, 2 * gap + thickness(theme)});
    ImGui::PopStyleVar();
}

void draw_horizontal_hairline(ImDrawList& list, const Theme& theme, float left, float right, float y) {
    list.AddRectFilled({left, std::floor(y)}, {right, std::floor(y) + thickness(theme)}, theme.hairline);
}

void draw_vertical_hairline(ImDrawList& list, const Theme& theme, float x, float top, float bottom) {
    list.AddRectFilled({std::floor(x), top}, {std::floor(x) + thickness(theme), bottom}, theme.hairline);
}

}  // namespace warplens::app
