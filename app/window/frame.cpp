#include "app/window/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/ui/splitter.h"
#include "app/ui/tab_bar.h"
#include "app/window/kernel_list.h"
#include "app/window/overlays.h"
#include "app/window/status_line.h"
#include "app/window/toolbar.h"
#include "app/window/verdict_line.h"

namespace warplens::app {
namespace {

/// Narrower than this (unscaled pixels) the explanation is below the source, and the view gets its
/// room.
constexpr float four_columns = 1760;

constexpr ImGuiWindowFlags whole_display =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;

std::vector<const ViewEntry*> views_at(ViewPlace place) {
    std::vector<const ViewEntry*> views;
    for (const ViewEntry& entry : view_entries())
        if (entry.place == place) views.push_back(&entry);
    return views;
}

}  // namespace

Frame::Frame(Session& session, Layout& layout)
    : session_(session), layout_(layout), context_{session,
                                                   state,
                                                   dialogs,
                                                   history,
                                                   nullptr,
                                                   nullptr,
                                                   [this](std::string_view view) { open_view(view); }} {
    if (const auto centre = views_at(ViewPlace::centre); !centre.empty())
        state.centre_view = centre.front()->name;
}

Frame::~Frame() = default;

void Frame::open_view(std::string_view name) {
    const ViewEntry* entry = find_view(name);
    if (!entry) return;
    if (entry->place == ViewPlace::centre) state.centre_view = entry->name;
    if (!state.filled_view.empty() && state.filled_view != name) state.filled_view.clear();
}

bool Frame::open_first_lesson() {
    session_.open_kernel("transpose_tiled");
    if (!session_.kernel() || session_.kernel()->name != "transpose_tiled") return false;
    session_.set_parameter("PAD", "0");
    follow_kernel();
    state.focused_knob = "PAD";
    state.invite = true;
    return true;
}

/// A kernel names the views that suit it; the first of them in the centre opens with it.
void Frame::follow_kernel() {
    if (session_.opened() == followed_) return;
    followed_ = session_.opened();
    state.invite = false;
    state.reveal_kernel = 3;  // the list knows its length after the first
    state.focused_knob.clear();
    state.problems_shown = false;
    state.notice.clear();
    if (!session_.kernel()) return;
    for (const std::string& name : session_.kernel()->views)
        if (const ViewEntry* entry = find_view(name); entry && entry->place == ViewPlace::centre) {
            state.centre_view = entry->name;
            break;
        }
}

/// A view that a person opens makes its default selection, until a person selects something. For a kernel
/// that is opened, its first view does so.
void Frame::follow_view() {
    const Scene* scene = session_.scene();
    if (!scene) return;
    const bool fresh = scene->generation != view_scene_ || scene->timing_generation != view_timing_;
    const bool opened = state.centre_view != shown_view_;
    if (opened && view_kernel_ == session_.opened()) session_.select_default(state.centre_view);
    if (opened || (fresh && unselected_)) shown_with_view_ = session_.selection.chosen;
    unselected_ = session_.selection.chosen == shown_with_view_;
    shown_view_ = state.centre_view;
    view_kernel_ = session_.opened();
    view_scene_ = scene->generation;
    view_timing_ = scene->timing_generation;
}

void Frame::draw(const Theme& theme) {
    under_mouse_.begin_frame();
    poll_own_file();
    session_.poll();
    if (lessons_) lessons_->poll();
    follow_kernel();
    if (const Scene* scene = session_.scene(); scene && scene->generation != noticed_) {
        noticed_ = scene->generation;
        if (!scene->notice.empty()) state.notice = scene->notice;
    }
    follow_view();
    if (!lessons_ || !lessons_->fills_window()) history.follow(session_, ImGui::GetTime());
    state.stale_seconds = session_.running() ? state.stale_seconds + ImGui::GetIO().DeltaTime : 0;

    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("frame", nullptr, whole_display);
    const bool in_lesson = lessons_ && lessons_->fills_window();
    if (in_lesson) draw_lesson(theme);
    else draw_workplace(theme);

    session_.selection.hover = session_.selection.next_hover;
    session_.selection.next_hover = {};
    Commands commands = std::exchange(commands_, {});
    // A request for more than the lesson shows leads to the window, but not before the answer.
    const bool asks = !commands.set_parameters.empty() || !commands.set_gpu.empty() || commands.set_timing ||
                      commands.start_sweep || !commands.open_view.empty();
    if (in_lesson && asks) {
        if (lessons_->presenting() || !lessons_->may_explore()) commands = {};
        else if (const std::string view = lessons_->explore(); commands.open_view.empty())
            commands.open_view = view;
    }
    carry_out(commands);
    under_mouse_.end_frame(theme, state);
}

/// Toolbar, panes and status line.
void Frame::draw_workplace(const Theme& theme) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    take_finding_keys();
    take_keys();
    float top = toolbar(theme, session_, state, own_, dialogs);
    ImGui::SetCursorScreenPos({0, top});
    const bool exploring = lessons_ && lessons_->exploring();
    top += exploring ? lessons_->strip(theme) : invitation(theme, session_, state, lessons_);
    ImGui::SetCursorScreenPos({0, top});
    top += verdict_line(theme, session_, state);
    const float bottom = display.y - status_line_height(theme);
    draw_panes(theme, {{0, top}, {display.x, std::max(top, bottom)}});
    ImGui::SetCursorScreenPos({0, bottom});
    status_line(theme, session_, state);
    ImGui::End();
    problem_list(theme, session_, state, bottom);
    keys_card(theme, state);
    palette_.draw(theme, context_);
    if (own_) dialogs.draw(theme, session_, *own_);
    if (lessons_ && std::exchange(state.show_lessons, false)) lessons_->show_list();
}

void Frame::draw_lesson(const Theme& theme) {
    const std::string view = lessons_->draw(theme, state, [&](const char* name, bool interactive) {
        if (const ViewEntry* entry = find_view(name)) draw_view(theme, *entry, interactive);
    });
    ImGui::End();
    if (own_) dialogs.draw(theme, session_, *own_);
    if (!view.empty()) open_view(view);
}

void Frame::carry_out(const Commands& commands) {
    for (const auto& set : commands.set_parameters) session_.set_parameter(set.name, set.value);
    if (!commands.set_gpu.empty()) session_.set_gpu(commands.set_gpu);
    if (commands.set_timing) session_.set_timing(*commands.set_timing);
    if (commands.start_sweep) session_.start_sweep(*commands.start_sweep);
    if (commands.cancel_sweep) session_.cancel_sweep();
    if (commands.try_bank_fixes) session_.try_bank_fixes(*commands.try_bank_fixes);
    if (!commands.open_view.empty()) open_view(commands.open_view);
    state.moving = commands.redraw;
    state.arrows_taken = commands.takes_arrow_keys;
}

void Frame::draw_panes(const Theme& theme, Area area) {
    if (area.max.y - area.min.y < 1 || area.max.x - area.min.x < 1) return;
    if (const ViewEntry* filled = find_view(state.filled_view)) {
        draw_pane(theme, filled->place, area);
        return;
    }
    area.max.y = draw_bottom(theme, area);
    draw_upper_panes(theme, area);
}

/// The pane at the bottom, over the full width. Returns where the panes above it end.
float Frame::draw_bottom(const Theme& theme, Area area) {
    const float scale = theme.fonts.scale, between = splitter_width(theme), height = area.max.y - area.min.y;
    const float least = std::round(140 * scale), least_above = std::round(260 * scale);
    if (views_at(ViewPlace::bottom).empty() || height < least + least_above) return area.max.y;
    const float bottom = std::floor(std::clamp(height * layout_.bottom_share, least, height - least_above));
    const float split = area.max.y - bottom - between;
    if (const float moved = horizontal_splitter(theme, "splitter bottom", split, area.min.x, area.max.x);
        moved != 0)
        layout_.bottom_share = std::clamp((bottom - moved) / height, 0.1f, 0.9f);
    draw_pane(theme, ViewPlace::bottom, {{area.min.x, split + between}, area.max});
    veil(theme, session_, state, {area.min.x, split + between}, area.max, false);
    return split;
}

void Frame::draw_upper_panes(const Theme& theme, Area area) {
    const float scale = theme.fonts.scale, between = splitter_width(theme);
    const float least = std::round(160 * scale), whole = area.max.x - area.min.x;
    const bool source_shown = !views_at(ViewPlace::source).empty();
    const bool explain_shown = !views_at(ViewPlace::explain).empty();
    const bool explain_below = source_shown && explain_shown && whole < four_columns * scale;

    // Widths from the outside in; each pane keeps its minimum width as long as the window has room.
    const float kernels =
        std::floor(std::clamp(layout_.kernels_width * scale, least, std::max(least, whole * 0.3f)));
    float explain = 0;
    if (explain_shown && !explain_below)
        explain =
            std::floor(std::clamp(layout_.explain_width * scale, least, std::max(least, whole * 0.35f)));
    const float middle = whole - kernels - between - (explain > 0 ? explain + between : 0);
    float source = 0;
    if (source_shown)
        source = std::floor(std::clamp(middle * layout_.source_share, std::min(least, middle / 2),
                                       std::max(middle / 2, middle - 2 * least)));

    float x = area.min.x;
    ImGui::SetCursorScreenPos(area.min);
    compat::begin_child("kernels", {kernels, area.max.y - area.min.y});
    kernel_list(theme, session_, state, own_);
    ImGui::EndChild();
    x += kernels;
    if (const float moved = vertical_splitter(theme, "splitter kernels", x, area.min.y, area.max.y);
        moved != 0)
        layout_.kernels_width = (kernels + moved) / scale;
    x += between;
    const float panes_begin = x;
    if (source_shown) {
        draw_source_column(theme, {{x, area.min.y}, {x + source, area.max.y}}, explain_below);
        x += source;
        if (const float moved = vertical_splitter(theme, "splitter source", x, area.min.y, area.max.y);
            moved != 0)
            layout_.source_share = std::clamp((source + moved) / middle, 0.1f, 0.9f);
        x += between;
    }
    const float editor_end = x;
    const float centre_end = area.max.x - (explain > 0 ? explain + between : 0);
    draw_pane(theme, ViewPlace::centre, {{x, area.min.y}, {centre_end, area.max.y}});
    if (explain > 0) {
        if (const float moved =
                vertical_splitter(theme, "splitter explain", centre_end, area.min.y, area.max.y);
            moved != 0)
            layout_.explain_width = (explain - moved) / scale;
        draw_pane(theme, ViewPlace::explain, {{centre_end + between, area.min.y}, area.max});
    }
    // Edited text must stay legible, and a form shows its own errors.
    if (!own_ || !own_->asks_for_launch())
        veil(theme, session_, state, {state.editing ? editor_end : panes_begin, area.min.y}, area.max);
}

/// The source, with the explanation below it where the window has no room for a column of its own.
void Frame::draw_source_column(const Theme& theme, Area area, bool explain_below) {
    if (!explain_below) {
        draw_pane(theme, ViewPlace::source, area);
        return;
    }
    const float height = area.max.y - area.min.y, between = splitter_width(theme);
    const float split = std::floor(area.min.y + (height - between) * layout_.source_height);
    draw_pane(theme, ViewPlace::source, {area.min, {area.max.x, split}});
    if (const float moved = horizontal_splitter(theme, "splitter explain", split, area.min.x, area.max.x);
        moved != 0)
        layout_.source_height = std::clamp((split + moved - area.min.y) / (height - between), 0.1f, 0.9f);
    draw_pane(theme, ViewPlace::explain, {{area.min.x, split + between}, area.max});
}

void Frame::draw_pane(const Theme& theme, ViewPlace place, Area area) {
    if (place == ViewPlace::source && state.filled_view.empty() && draw_editor(theme, area)) return;
    if (place == ViewPlace::centre && state.filled_view.empty() && draw_launch_form(theme, area)) return;
    std::vector<const ViewEntry*> views = views_at(place);
    const bool filled = find_view(state.filled_view) != nullptr;
    if (views.empty() || area.max.x <= area.min.x) return;
    std::vector<Tab> tabs;
    int current = 0;
    const std::string& open = filled ? state.filled_view : state.centre_view;
    for (std::size_t i = 0; i < views.size(); ++i) {
        tabs.push_back({views[i]->name, views[i]->title, views[i]->help});
        if (views[i]->name == open) current = static_cast<int>(i);
    }

    ImGui::SetCursorScreenPos(area.min);
    ImGui::PushID(static_cast<int>(place));
    compat::begin_child("pane", {area.max.x - area.min.x, area.max.y - area.min.y},
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const TabBarResult tab = tab_bar(theme, "tabs", tabs, current);
    const ViewEntry& entry = *views[static_cast<std::size_t>(tab.current)];
    if (tab.opened) open_view(entry.name);
    if (tab.filled) state.filled_view = filled ? "" : entry.name;
    if (filled && tab.opened) state.filled_view = entry.name;

    const float margin = std::round(12 * theme.fonts.scale);
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({begin.x + margin, begin.y + margin});
    // The child's name holds the view's, so that each keeps its own scroll position.
    compat::begin_child(entry.name, {std::max(1.0f, area.max.x - begin.x - 2 * margin),
                                     std::max(1.0f, area.max.y - begin.y - margin - margin / 2)});
    draw_view(theme, entry);
    ImGui::EndChild();
    ImGui::EndChild();
    ImGui::PopID();
    if (filled) veil(theme, session_, state, {area.min.x, begin.y}, area.max);
}

void Frame::draw_view(const Theme& theme, const ViewEntry& entry, bool interactive) {
    auto& view = views_[entry.name];
    if (!view) view = entry.make();
    ViewFrame frame{session_.scene(), session_.selection, commands_,         theme,
                    interactive,      layout_.motion,     session_.timing(), session_.modelling()};
    frame.sweep = &session_.sweep();
    frame.bank_fixes = &session_.bank_fixes();
    // A lesson shows its own run and no other.
    const bool in_lesson = lessons_ && lessons_->fills_window();
    if (const analysis::Comparison* comparison = in_lesson ? nullptr : session_.comparison()) {
        frame.baseline = session_.baselines.chosen()->scene.get();
        frame.baseline_name = comparison->before_name;
        frame.scene_name = comparison->after_name;
    }
    frame.advice = &session_.advice();
    if (unselected_) frame.open_view = state.centre_view;
    view->draw(frame);
}

void Frame::next_view() {
    const auto views = views_at(ViewPlace::centre);
    if (views.empty()) return;
    const auto at =
        std::ranges::find_if(views, [&](const ViewEntry* entry) { return entry->name == state.centre_view; });
    const bool back = ImGui::GetIO().KeyShift;
    const auto count = static_cast<std::ptrdiff_t>(views.size());
    const auto next = (at - views.begin() + (back ? count - 1 : 1)) % count;
    const bool filled = state.filled_view == state.centre_view && !state.filled_view.empty();
    state.centre_view = views[static_cast<std::size_t>(next)]->name;
    state.filled_view = filled ? state.centre_view : "";
}

void Frame::take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    if (compat::key_pressed(compat::Key::space)) session_.run_again();
    if (compat::letter_pressed('B') && !io.KeyCtrl && !io.KeyAlt && !session_.stale())
        session_.keep_baseline();
    if (compat::key_pressed(compat::Key::tab) && !io.KeyCtrl && !io.KeyAlt) next_view();
    for (const ImWchar typed : io.InputQueueCharacters)
        if (typed == '?') state.keys_shown = !state.keys_shown;
    if (compat::letter_pressed('L') && !io.KeyCtrl && !io.KeyAlt) state.show_lessons = true;
    if (compat::key_pressed(compat::Key::escape)) {
        // The topmost panel first.
        if (state.keys_shown) state.keys_shown = false;
        else if (state.problems_shown) state.problems_shown = false;
        else if (session_.running() || session_.modelling()) session_.cancel();
        else if (!state.filled_view.empty()) state.filled_view.clear();
        else if (state.invite) state.invite = false;
        else state.notice.clear();
    }
}

}  // namespace warplens::app
