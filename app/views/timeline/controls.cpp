#include "app/views/timeline/controls.h"

#include <imgui_stdlib.h>

#include <cmath>

#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"
#include "app/ui/triangle.h"

namespace warplens::app {

namespace {

constexpr const char* field_hint = "ld.global, line 12, barrier";

float arrow_width(const Theme& theme) { return std::round(24 * theme.fonts.scale); }
float field_width(const Theme& theme) { return std::round(190 * theme.fonts.scale); }
float found_width(const Theme& theme) { return std::ceil(text_width(theme.fonts.small, "1,000,000 found")); }
float gap(const Theme& theme) { return std::round(6 * theme.fonts.scale); }

/// A small button with an step_arrow; it repeats while held.
bool step_arrow(const Theme& theme, const char* name, ImVec2 at, ImGuiDir direction, const char* help) {
    const ImVec2 size{arrow_width(theme), control_height(theme)};
    ImGui::SetCursorScreenPos(at);
    ImGui::PushButtonRepeat(true);
    const bool clicked = invisible_button(name, size);
    ImGui::PopButtonRepeat();
    hit_box_of_item(name);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + size.x, at.y + size.y};
    const bool hovered = ImGui::IsItemHovered();
    list.AddRectFilled(at, end, hovered ? mix(theme.raised, theme.text, 0.08) : theme.raised,
                       4 * theme.fonts.scale);
    draw_triangle(list, theme, at, end, direction, theme.text);
    if (hovered && !ImGui::IsItemActive()) tooltip_card(theme, help);
    return clicked;
}

}  // namespace

float TimelineControls::width(const Theme& theme) const {
    const float head = 2 * arrow_width(theme) + gap(theme);
    const float whole = text_button_width(theme, "Whole") + 2 * gap(theme);
    if (!finding_) return head + whole + text_button_width(theme, "Find");
    return head + whole + field_width(theme) + found_width(theme) + 2 * arrow_width(theme) +
           text_button_width(theme, "×") + 5 * gap(theme);
}

void TimelineControls::draw_find(const TimelineIndex& index, const Theme& theme, float& x, float y,
                                 TimelineOrders& orders) {
    ImGui::SetCursorScreenPos({x, y});
    compat::push_font(theme.fonts.code);
    const float padding = std::round((control_height(theme) - ImGui::GetFontSize()) / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8 * theme.fonts.scale, padding});
    ImGui::SetNextItemWidth(field_width(theme));
    if (focus_) ImGui::SetKeyboardFocusHere();
    const std::string before = text_;
    const bool entered =
        ImGui::InputTextWithHint("##find", field_hint, &text_,
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    hit_box_of_item("timeline find field");
    const bool active = ImGui::IsItemActive();
    ImGui::PopStyleVar();
    ImGui::PopFont();
    if (before != text_ || !parsed_) {
        query_ = parse_query(text_, index.trace().program);
        const auto found = count_matches(index.schedule(), query_);
        found_words_ = text_.empty() ? "" : found == 0 ? "not found" : grouped(found) + " found";
        parsed_ = true;
    }
    if (entered) {
        orders.find = ImGui::GetIO().KeyShift ? -1 : 1;
        focus_ = true;  // Enter again continues
    } else {
        focus_ = false;
    }
    x += field_width(theme) + gap(theme);
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small,
              {x, y + (control_height(theme) - text_height(theme.fonts.small)) / 2}, theme.text_dim,
              found_words_);
    x += found_width(theme) + gap(theme);
    if (step_arrow(theme, "timeline find previous", {x, y}, ImGuiDir_Left, "Previous match (Shift+Enter)"))
        orders.find = -1;
    x += arrow_width(theme) + gap(theme) / 2;
    if (step_arrow(theme, "timeline find next", {x, y}, ImGuiDir_Right, "Next match (Enter)"))
        orders.find = 1;
    x += arrow_width(theme) + gap(theme) / 2;
    ImGui::SetCursorScreenPos({x, y});
    const bool closed = text_button(theme, "timeline find close", "×", "");
    if (closed || (active && compat::key_pressed(compat::Key::escape))) finding_ = false;
    x += text_button_width(theme, "×") + gap(theme);
}

float TimelineControls::draw(const TimelineIndex& index, ViewFrame& frame, float right, bool shows_all,
                             TimelineOrders& orders) {
    const Theme& theme = frame.theme;
    const float y = ImGui::GetCursorScreenPos().y, begin = right - width(theme);
    float x = begin;
    if (finding_) {
        draw_find(index, theme, x, y, orders);
    } else {
        ImGui::SetCursorScreenPos({x, y});
        if (text_button(theme, "timeline find", "Find", "Find an instruction, line or state (F)"))
            finding_ = focus_ = true;
        x += text_button_width(theme, "Find") + gap(theme);
    }
    if (step_arrow(theme, "timeline head back", {x, y}, ImGuiDir_Left,
                   "Move the play head back one cycle ( , )"))
        orders.head = -1;
    x += arrow_width(theme) + gap(theme) / 2;
    if (step_arrow(theme, "timeline head on", {x, y}, ImGuiDir_Right,
                   "Move the play head forward one cycle ( . )"))
        orders.head = 1;
    x += arrow_width(theme) + gap(theme);
    if (!shows_all) {
        ImGui::SetCursorScreenPos({x, y});
        if (text_button(theme, "timeline whole", "Whole", "Show all cycles (Home)")) orders.show_all = true;
    }
    return begin;
}

void take_timeline_keys(bool hovered, TimelineOrders& orders) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    for (const ImWchar typed : io.InputQueueCharacters) {
        if (typed == 'a' || typed == 'A') orders.pan -= 0.1;
        if (typed == 'd' || typed == 'D') orders.pan += 0.1;
        if (typed == ',') --orders.head;
        if (typed == '.') ++orders.head;
        if (typed == '<') orders.change = -1;
        if (typed == '>') orders.change = 1;
        if (typed == 'n') orders.find = 1;
        if (typed == 'N') orders.find = -1;
        if (typed == 'f' || typed == 'F') orders.open_find = true;
    }
    if (!hovered) return;
    if (compat::key_pressed(compat::Key::left)) orders.pan -= 0.1;
    if (compat::key_pressed(compat::Key::right)) orders.pan += 0.1;
    if (compat::key_pressed(compat::Key::up)) orders.scroll -= 2;
    if (compat::key_pressed(compat::Key::down)) orders.scroll += 2;
    if (compat::key_pressed(compat::Key::home)) orders.show_all = true;
}

void TimelineControls::take_keys(bool hovered, TimelineOrders& orders) {
    take_timeline_keys(hovered, orders);
    if (orders.open_find) finding_ = focus_ = true;
}

}  // namespace warplens::app
