#include "app/ui/tab_bar.h"

#include <cmath>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/separator.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {

namespace {

/// How the tabs find room: closer together, and where that is not enough the last ones behind "more"; the
/// current one is always shown.
struct Fit {
    float pad = 0;
    int shown = 0, hidden = 0, current = 0;
    bool shows(int tab) const { return hidden == 0 || tab < shown || tab == current; }
};

constexpr const char* nothing_to_show = "Nothing to show of this kernel.";

ImU32 dimmed(const Theme& theme) { return mix(theme.text_dim, theme.background, 0.45); }

Fit fit_tabs(const Theme& theme, std::span<const Tab> tabs, int current, float width) {
    const float scale = theme.fonts.scale;
    const auto words = [&](int tab) {
        return std::ceil(text_width(theme.fonts.words, tabs[static_cast<std::size_t>(tab)].title));
    };
    const auto count = static_cast<int>(tabs.size());
    Fit fit{0, count, 0, current};
    for (const float pad : {12.0f, 9.0f, 6.0f}) {
        fit.pad = std::round(pad * scale);
        float taken = 0;
        for (int i = 0; i < count; ++i) taken += words(i) + 2 * fit.pad;
        if (taken <= width) return fit;
    }
    fit.pad = std::round(9 * scale);
    float taken = chooser_width(theme, "", "more");
    if (current >= 0 && current < count) taken += words(current) + 2 * fit.pad;
    fit.shown = 0;
    while (fit.shown < count) {
        const float next = fit.shown == current ? 0 : words(fit.shown) + 2 * fit.pad;
        if (taken + next > width) break;
        taken += next;
        ++fit.shown;
    }
    fit.hidden = count - fit.shown - (current >= fit.shown ? 1 : 0);
    return fit;
}

}  // namespace

TabBarResult tab_bar(const Theme& theme, const char* id, std::span<const Tab> tabs, int current) {
    TabBarResult result{current};
    const float scale = theme.fonts.scale;
    const float height = std::round(32 * scale);
    ImFont* font = theme.fonts.words;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const Fit fit = fit_tabs(theme, tabs, current, width);
    const float pad = fit.pad;
    draw_horizontal_hairline(list, theme, origin.x, origin.x + width, origin.y + height - 1);
    ImGui::PushID(id);
    float x = origin.x;
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        if (!fit.shows(i)) continue;
        const Tab& tab = tabs[static_cast<std::size_t>(i)];
        const float tab_width = std::ceil(text_width(font, tab.title)) + 2 * pad;
        ImGui::SetCursorScreenPos({x, origin.y});
        ImGui::PushID(i);
        if (invisible_button("tab", {tab_width, height})) {
            result.opened = i != current;
            result.current = i;
        }
        const bool hovered = ImGui::IsItemHovered();
        hit_box_of_item("tab", tab.name);
        if (hovered && ImGui::IsMouseDoubleClicked(0)) result.filled = true;
        if (hovered && tab.help && ImGui::GetIO().MouseDownDuration[0] < 0)
            tooltip_card(theme, tab.help, tab.dimmed ? nothing_to_show : "");
        ImGui::PopID();
        const bool on = i == result.current;
        if (hovered && !on)
            list.AddRectFilled({x, origin.y + 4 * scale}, {x + tab_width, origin.y + height - 4 * scale},
                               theme.hovered, 4 * scale);
        draw_text_centred(list, font, {x, origin.y}, {x + tab_width, origin.y + height},
                          on           ? theme.text
                          : tab.dimmed ? dimmed(theme)
                                       : theme.text_dim,
                          tab.title);
        if (on)
            list.AddRectFilled({x + pad, origin.y + height - std::round(2 * scale)},
                               {x + tab_width - pad, origin.y + height}, theme.ideal);
        x += tab_width;
    }
    if (fit.hidden > 0) {
        ImGui::SetCursorScreenPos({x, origin.y + std::round((height - control_height(theme)) / 2)});
        if (begin_chooser(theme, "tabs more", "", "more", "More views")) {
            for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
                const Tab& tab = tabs[static_cast<std::size_t>(i)];
                if (fit.shows(i) ||
                    !chooser_item(theme, tab.name, tab.title, tab.dimmed ? "nothing here" : "", false))
                    continue;
                result.opened = true;
                result.current = i;
            }
            end_chooser();
        }
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::Dummy({width, height});
    ImGui::PopStyleVar();
    return result;
}

}  // namespace warplens::app
