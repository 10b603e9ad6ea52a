#include "app/ui/triangle.h"

namespace warplens::app {

void draw_triangle(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImGuiDir direction,
                   ImU32 colour, float size) {
    const float x = (min.x + max.x) / 2, y = (min.y + max.y) / 2;
    const float reach = size * theme.fonts.scale / 2, side = size * theme.fonts.scale * 0.9f;
    const bool flat = direction == ImGuiDir_Left || direction == ImGuiDir_Right;
    const float sign = direction == ImGuiDir_Right || direction == ImGuiDir_Down ? 1.0f : -1.0f;
    // Corners in the order that ImGui's anti-aliasing wants: clockwise on screen.
    const ImVec2 tip = flat ? ImVec2(x + sign * reach, y) : ImVec2(x, y + sign * reach);
    ImVec2 a = flat ? ImVec2(x - sign * reach, y - side) : ImVec2(x - side, y - sign * reach);
    ImVec2 b = flat ? ImVec2(x - sign * reach, y + side) : ImVec2(x + side, y - sign * reach);
    const bool clockwise = (a.x - tip.x) * (b.y - tip.y) - (a.y - tip.y) * (b.x - tip.x) > 0;
    if (!clockwise) {
        const ImVec2 swapped = a;
        a = b;
        b = swapped;
    }
    list.AddTriangleFilled(tip, a, b, colour);
}

}  // namespace warplens::app
