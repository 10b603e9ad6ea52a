#include "app/widgets/tab_bar.h"

#include <cmath>

#include "app/hit_boxes.h"
#include "app/widgets/separator.h"
#include "app/widgets/text.h"
#include "app/widgets/tooltip.h"

namespace warplens::app {

TabBarResult tab_bar(const Theme& theme, const char* id, std::span<const Tab> tabs, int current) {
    TabBarResult result{current};
    const float scale = theme.fonts.scale;
    const float height = std::round(32 * scale), pad = std::round(12 * scale);
    ImFont* font = theme.fonts.words;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    draw_horizontal_hairline(list, theme, origin.x, origin.x + width, origin.y + height - 1);
    ImGui::PushID(id);
    float x = origin.x;
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        const Tab& tab = tabs[static_cast<std::size_t>(i)];
        const float tab_width = std::ceil(text_width(font, tab.title)) + 2 * pad;
        ImGui::SetCursorScreenPos({x, origin.y});
        ImGui::PushID(i);
        if (ImGui::InvisibleButton("tab", {tab_width, height})) {
            result.opened = i != current;
            result.current = i;
        }
        const bool hovered = ImGui::IsItemHovered();
        hit_box_of_item("tab", tab.name);
        if (hovered && ImGui::IsMouseDoubleClicked(0)) result.filled = true;
        if (hovered && tab.help && ImGui::GetIO().MouseDownDuration[0] < 0) tooltip_card(theme, tab.help);
        ImGui::PopID();
        const bool on = i == result.current;
        if (hovered && !on)
            list.AddRectFilled({x, origin.y + 4 * scale}, {x + tab_width, origin.y + height - 4 * scale},
                               theme.hovered, 4 * scale);
        draw_text_centred(list, font, {x, origin.y}, {x + tab_width, origin.y + height},
                          on ? theme.text : theme.text_dim, tab.title);
        if (on)
            list.AddRectFilled({x + pad, origin.y + height - std::round(2 * scale)},
                               {x + tab_width - pad, origin.y + height}, theme.ideal);
        x += tab_width;
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Dummy({width, height});
    ImGui::PopStyleVar();
    return result;
}

}  // namespace warplens::app
