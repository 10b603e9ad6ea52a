#include "app/ui/segments.h"

#include <cmath>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {

namespace {

float width_of(const Theme& theme, const Segment& segment) {
    return std::ceil(text_width(theme.fonts.words, segment.words)) + 2 * std::round(9 * theme.fonts.scale);
}

}  // namespace

float segments_width(const Theme& theme, std::span<const Segment> segments) {
    float width = 0;
    for (const Segment& segment : segments) width += width_of(theme, segment);
    return width;
}

std::size_t segments(const Theme& theme, std::span<const Segment> segments, std::size_t chosen) {
    const float scale = theme.fonts.scale, height = control_height(theme), inset = std::round(2 * scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    list.AddRectFilled(at, {at.x + segments_width(theme, segments), at.y + height}, theme.raised, 4 * scale);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = segments[i];
        const ImVec2 end{at.x + width_of(theme, segment), at.y + height};
        ImGui::SetCursorScreenPos(at);
        if (invisible_button(segment.name.c_str(), {end.x - at.x, height})) chosen = i;
        hit_box_of_item(segment.name);
        const bool on = chosen == i, hovered = ImGui::IsItemHovered();
        if (on || hovered)
            list.AddRectFilled({at.x + inset, at.y + inset}, {end.x - inset, end.y - inset},
                               on ? with_alpha(theme.text, 0.14) : theme.hovered, 3 * scale);
        draw_text_centred(list, theme.fonts.words, at, end, on ? theme.text : theme.text_dim, segment.words);
        if (on)
            list.AddRectFilled({at.x + 4 * inset, end.y - 2 * inset}, {end.x - 4 * inset, end.y - inset},
                               theme.ideal);
        if (hovered && !segment.help.empty()) tooltip_card(theme, segment.help);
        at.x = end.x;
    }
    return chosen;
}

}  // namespace warplens::app
