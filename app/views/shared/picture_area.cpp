#include "app/views/shared/picture_area.h"

#include <algorithm>

#include "app/views/shared/title_line.h"

namespace warplens::app {

PictureArea picture_area(const Ink& ink, const std::vector<LegendEntry>& entries, float most, float least) {
    ImGui::Dummy({0, ink.px(4)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float below = provenance_line_height(ink.theme) + legend_size(ink.theme, entries, room.x).y +
                        ink.px(10) + 2 * ImGui::GetStyle().ItemSpacing.y;
    const float height = std::max(room.y - below, ink.px(std::max(least, 80.0f)));
    return {{at.x, at.y, at.x + room.x, at.y + std::min(height, ink.px(most))}, room.x, height};
}

}  // namespace warplens::app
