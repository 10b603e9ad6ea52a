// The frame's parts for the user's own file: the editor in the source pane, the launch form in the centre,
// and the questions over both.
#include <array>
#include <cmath>
#include <utility>

#include "app/ui/imgui_compat.h"
#include "app/ui/tab_bar.h"
#include "app/window/frame.h"
#include "app/window/launch_form.h"

namespace warplens::app {
namespace {

/// The rest of a pane below its tabs, with the margin that views have.
void begin_body(const Theme& theme, const char* name, ImVec2 max) {
    const float margin = std::round(12 * theme.fonts.scale);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({begin.x + margin, begin.y + margin});
    compat::begin_child(name, {std::max(1.0f, max.x - begin.x - 2 * margin),
                               std::max(1.0f, max.y - begin.y - margin - margin / 2)});
}

}  // namespace

bool Frame::may_close() {
    if (!own_ || !own_->is_changed()) return true;
    dialogs.ask_unsaved(FileDialogs::After::close_window);
    return false;
}

void Frame::poll_own_file() {
    if (!own_) return;
    own_->poll(ImGui::GetTime());
    if (own_->is_open() && !own_->is_copy()) dialogs.note_opened(own_->path());
    for (std::string notice : {own_->take_notice(), dialogs.take_notice()})
        if (!notice.empty()) state.notice = std::move(notice);
    // While the launch form is open, the source is shown as well.
    if (own_->asks_for_launch() && asked_for_ != session_.opened()) {
        asked_for_ = session_.opened();
        state.editing = true;
    }
    state.due_in = own_->due_in(ImGui::GetTime());
}

/// True when the editor took the source's pane.
bool Frame::draw_editor(const Theme& theme, const Box& area) {
    if (!own_ || area.width() <= 0) return false;
    static constexpr std::array<Tab, 2> tabs{
        Tab{"source", "Source", "CUDA and PTX side by side, with the cost of each line."},
        Tab{"edit", "Edit", "Edit the CUDA source: it runs as you type, and Ctrl+S saves it."}};
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID("source or editor");
    compat::begin_child("pane", {area.width(), area.height()},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const TabBarResult tab = tab_bar(theme, "tabs", tabs, state.editing ? 1 : 0);
    if (tab.opened) {
        state.editing = tab.current == 1;
        if (state.editing) editor_.focus();
    }
    if (tab.filled && tab.current == 0) state.filled_view = first_view_at(ViewPlace::source).name;
    begin_body(theme, state.editing ? "edit" : "source", area.max());
    if (state.editing && std::exchange(state.show_failure, false)) editor_.show_failure();
    if (state.editing) editor_.draw(theme, session_, *own_, dialogs);
    else draw_view(theme, *find_view(first_view_at(ViewPlace::source).name));
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopID();
    return true;
}

/// True when the launch is asked for in place of the centre's views.
bool Frame::draw_launch_form(const Theme& theme, const Box& area) {
    if (!own_ || !own_->asks_for_launch() || area.width() <= 0) return false;
    static constexpr std::array<Tab, 1> tabs{
        Tab{"launch", "Launch", "Launch settings of the file's kernel."}};
    ImGui::SetCursorScreenPos(area.min());
    ImGui::PushID("launch");
    compat::begin_child("pane", {area.width(), area.height()});
    tab_bar(theme, "tabs", tabs, 0);
    begin_body(theme, "form", area.max());
    launch_form(theme, session_, *own_);
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopID();
    return true;
}

}  // namespace warplens::app
