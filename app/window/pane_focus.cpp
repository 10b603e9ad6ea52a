#include "app/window/pane_focus.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "app/scene/requested_selection.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/view_keys.h"
#include "app/window/frame.h"

namespace warplens::app {
namespace {

bool keys_are_taken() {
    return ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
}

/// -1, 0 or 1.
int direction_of(compat::Key back, compat::Key on) {
    return (compat::key_pressed(on) ? 1 : 0) - (compat::key_pressed(back) ? 1 : 0);
}

}  // namespace

void Frame::take_pane_keys() {
    // A click says by itself where it went, and what is not on screen cannot have the keyboard.
    if (ImGui::IsMouseClicked(0) || !panes_.contains(state.focused_pane)) state.focused_pane = Pane::none;
    if (compat::view_key_pressed(compat::ViewKey::next_pane) && !panes_.empty() &&
        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) {
        const auto at = panes_.find(state.focused_pane);
        auto next = panes_.begin();
        if (ImGui::GetIO().KeyShift) next = std::prev(at == panes_.begin() ? panes_.end() : at);
        else if (at != panes_.end() && std::next(at) != panes_.end()) next = std::next(at);
        focus_pane(next->first);
    }
    if (state.focused_pane != Pane::none && !keys_are_taken()) take_arrows();
}

void Frame::focus_pane(Pane pane) {
    ImGui::SetWindowFocus(nullptr);  // a text that was being edited gives the keyboard up
    state.focused_pane = pane;
    if (pane == Pane::source && state.editing) editor_.focus();
    if (pane == Pane::knobs && state.focused_knob.empty())
        state.focused_knob = session_.kernel()->parameters.front().name;
    if (pane == Pane::kernels) state.kernel_cursor.clear();
}

/// What a pane does not do with the arrow keys itself.
void Frame::take_arrows() {
    const int across = direction_of(compat::Key::left, compat::Key::right);
    const int down = direction_of(compat::Key::up, compat::Key::down);
    if (state.focused_pane == Pane::knobs && down != 0) {
        const auto& knobs = session_.kernel()->parameters;
        const auto at =
            std::ranges::find(knobs, state.focused_knob, &instrumentation::ParameterDeclaration::name);
        const auto index = at == knobs.end() ? 0 : (at - knobs.begin()) + down;
        state.focused_knob =
            knobs[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(index, 0, std::ssize(knobs) - 1))].name;
    }
    if (state.focused_pane == Pane::source && !state.editing && down != 0) select_next_line(down);
    if (state.focused_pane == Pane::centre && across != 0 && !state.arrows_taken) step_view(across);
}

/// The next line that executes an instruction, in the direction.
void Frame::select_next_line(int direction) {
    const Scene* scene = session_.scene();
    if (!scene || !scene->trace || session_.stale()) return;
    std::set<std::uint32_t> lines;
    for (const Site& site : scene->trace->program.sites)
        if (site.line != 0) lines.insert(site.line);
    if (lines.empty()) return;
    const std::uint32_t now = session_.selection.chosen.source_line;
    const auto above = lines.lower_bound(now), below = lines.upper_bound(now);
    if (direction < 0 ? above == lines.begin() : below == lines.end()) return;
    SpotRequest request;
    request.line = direction < 0 ? *std::prev(above) : *below;
    if (const auto spot = requested_selection(*scene, state.centre_view, request))
        session_.selection.chosen = *spot;
}

/// Called in the window of the pane's view.
void Frame::scroll_focused(Pane pane, float row) const {
    if (state.focused_pane != pane || state.arrows_taken || keys_are_taken()) return;
    const float page = std::max(row, ImGui::GetWindowHeight() - row);
    const float moved = static_cast<float>(direction_of(compat::Key::up, compat::Key::down)) * row +
                        static_cast<float>(direction_of(compat::Key::page_up, compat::Key::page_down)) * page;
    if (moved != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + moved, 0.0f, ImGui::GetScrollMaxY()));
}

/// Over the panes: a child of its own, because children are drawn in order.
void Frame::mark_focus(const Theme& theme) const {
    const auto focused = panes_.find(state.focused_pane);
    if (focused == panes_.end()) return;
    const Box& box = focused->second;
    if (box.width() < 1 || box.height() < 1) return;
    ImGui::SetCursorScreenPos(box.min());
    compat::begin_child("focus mark", {box.width(), box.height()},
                        ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar);
    const float width = 2 * theme.fonts.scale;
    compat::add_rect(*ImGui::GetWindowDrawList(), {box.x0 + width / 2, box.y0 + width / 2},
                     {box.x1 - width / 2, box.y1 - width / 2}, theme.selected, 4 * theme.fonts.scale, width);
    hit_box("focus mark", box.min(), box.max());
    ImGui::EndChild();
}

}  // namespace warplens::app
