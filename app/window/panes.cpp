// The panes of the frame: where app/window/arrangement.h puts them, and each one's tabs and view.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/scene/view_relevance.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/splitter.h"
#include "app/ui/tab_bar.h"
#include "app/ui/text.h"
#include "app/window/arrangement.h"
#include "app/window/frame.h"
#include "app/window/kernel_list.h"
#include "app/window/overlays.h"
#include "app/window/pane_focus.h"

namespace warplens::app {
namespace {

constexpr float lowest_titled = 260;  // unscaled pixels

/// Moves the edge between two panes when it is dragged.
void draw_splitter(const Theme& theme, const PaneSplitter& splitter, Layout& layout) {
    const Box& box = splitter.box;
    const float moved = splitter.is_vertical
                            ? vertical_splitter(theme, splitter.name, box.x0, box.y0, box.y1)
                            : horizontal_splitter(theme, splitter.name, box.y0, box.x0, box.x1);
    if (moved == 0) return;
    float& value = layout.*splitter.remembered;
    value = std::clamp(value + moved * splitter.per_pixel, splitter.least, splitter.most);
}

}  // namespace

void Frame::draw_panes(const Theme& theme, const Box& area) {
    if (area.height() < 1 || area.width() < 1) return;
    if (const ViewEntry* filled = find_view(state.filled_view); filled && !state.presenting) {
        draw_pane(theme, filled->place, area);
        return;
    }
    const float scale = theme.fonts.scale;
    const PaneOrder order = pane_order(area.width() / scale, area.height() / scale, state.presenting);
    const Arrangement made = arrange(area, scale, splitter_width(theme), layout_, order);
    if (made.kernels.width() > 0) {
        ImGui::SetCursorScreenPos(made.kernels.min());
        compat::begin_child("kernels", {made.kernels.width(), std::max(1.0f, made.kernels.height())});
        kernel_list(theme, session_, state, own_);
        ImGui::EndChild();
        panes_[Pane::kernels] = made.kernels;
    }
    draw_pane(theme, ViewPlace::source, made.source);
    draw_pane(theme, ViewPlace::centre, made.centre);
    draw_pane(theme, ViewPlace::explain, made.explain);
    draw_pane(theme, ViewPlace::bottom, made.bottom);
    for (const PaneSplitter& splitter : made.splitters) draw_splitter(theme, splitter, layout_);
}

void Frame::draw_pane(const Theme& theme, ViewPlace place, const Box& area) {
    if (area.width() < 1 || area.height() < 1) return;
    panes_[pane_at(place)] = area;
    // What is being written must stay legible, and a form says itself what is wrong.
    if (place == ViewPlace::source && state.filled_view.empty() && draw_editor(theme, area)) {
        if (!state.editing && !failed_source()) veil(theme, session_, state, "source veil", area);
        return;
    }
    if (place == ViewPlace::centre && state.filled_view.empty() && draw_launch_form(theme, area)) return;
    const bool filled = !state.presenting && find_view(state.filled_view) != nullptr;
    const std::vector<RelevantView> views = views_by_relevance(session_.scene(), place);
    if (views.empty()) return;
    std::vector<Tab> tabs;
    int current = 0;
    const std::string& open = filled ? state.filled_view : state.centre_view;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const ViewRow& row = *views[i].view;
        tabs.push_back({row.name, row.title, row.help, !views[i].has_content});
        if (row.name == open) current = static_cast<int>(i);
    }

    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID(static_cast<int>(place));
    compat::begin_child("pane", {area.width(), area.height()},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    // One view says itself what it is; in a low pane its title's room is the picture's.
    const bool is_titled = filled || tabs.size() > 1 || area.height() >= lowest_titled * theme.fonts.scale;
    const TabBarResult tab = is_titled ? tab_bar(theme, "tabs", tabs, current) : TabBarResult{current};
    const ViewEntry& entry = *find_view(views[static_cast<std::size_t>(tab.current)].view->name);
    if (tab.opened) open_view(entry.name);
    if (tab.filled) state.filled_view = filled ? "" : entry.name;
    if (filled && tab.opened) state.filled_view = entry.name;

    const float margin = std::round(12 * theme.fonts.scale);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({begin.x + margin, begin.y + margin});
    const ImVec2 size{std::max(1.0f, area.x1 - begin.x - 2 * margin),
                      std::max(1.0f, area.y1 - begin.y - margin - margin / 2)};
    // The child's name holds the view's, so that each keeps its own scroll position.
    compat::begin_child(entry.name, size);
    scroll_focused(pane_at(place), 3 * text_height(theme.fonts.words));
    draw_view(theme, entry);
    hit_box(std::string("view ") + entry.name, ImGui::GetWindowPos(),
            {ImGui::GetWindowPos().x + size.x, ImGui::GetWindowPos().y + size.y});
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopID();
    if (place != ViewPlace::source || !failed_source())
        veil(theme, session_, state, entry.name + std::string(" veil"), {area.x0, begin.y, area.x1, area.y1});
    if (place != ViewPlace::centre && !filled) return;
    picture_.view = entry.name;
    picture_.width = size.x, picture_.height = size.y;
}

}  // namespace warplens::app
