#include "app/window/knob.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/pipeline/knob_steps.h"
#include "app/ui/arrow_button.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

using instrumentation::ParameterDeclaration;

constexpr float pixels_per_click = 8;

float name_gap(const Theme& theme) { return std::round(8 * theme.fonts.scale); }

float value_width(const Theme& theme, const ParameterDeclaration& parameter, const std::string& value) {
    // Room for the widest value that a list or a range offers, so that nothing moves while it changes.
    float width =
        std::max(text_width(theme.fonts.code, grouped_text(value)), text_width(theme.fonts.code, "00"));
    for (const auto& allowed : parameter.values)
        width =
            std::max(width, text_width(theme.fonts.code, grouped_text(instrumentation::to_string(allowed))));
    if (parameter.maximum && std::holds_alternative<std::int64_t>(parameter.fallback))
        width = std::max(
            width,
            text_width(theme.fonts.code, grouped(static_cast<std::uint64_t>(std::abs(*parameter.maximum)))));
    return std::ceil(width) + std::round(8 * theme.fonts.scale);
}

/// One of the two arrows; `possible` is false at the end of the range.
bool arrow(const Theme& theme, const char* id, const std::string& name, ImGuiDir direction, bool possible) {
    const bool clicked = arrow_button(theme, id, direction, possible);
    hit_box_of_item("knob", name + " " + id);
    return clicked;
}

std::optional<std::string> open_field(const Theme& theme, FrameState& state,
                                      const ParameterDeclaration& parameter, const std::string& value) {
    std::optional<std::string> turned;
    const float scale = theme.fonts.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {10 * scale, 10 * scale});
    if (ImGui::BeginPopup("type")) {
        if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
        if (compat::key_pressed(compat::Key::escape)) ImGui::CloseCurrentPopup();
        compat::push_font(theme.fonts.code);
        ImGui::SetNextItemWidth(160 * scale);
        if (ImGui::InputText("##field", &state.typed,
                             ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
            turned = state.typed;
            ImGui::CloseCurrentPopup();
        }
        hit_box_of_item("field", parameter.name);
        ImGui::PopFont();
        const std::string allowed = allowed_words(parameter);
        if (!parameter.values.empty()) {
            for (const auto& choice : parameter.values) {
                const std::string text = instrumentation::to_string(choice);
                if (chooser_item(theme, "value " + parameter.name + " " + text, grouped_text(text), {},
                                 text == value))
                    turned = text;
            }
        } else if (!allowed.empty()) {
            text_item(theme.fonts.small, theme.text_dim, allowed);
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    return turned;
}

}  // namespace

float knob_width(const Theme& theme, const ParameterDeclaration& parameter, const std::string& value) {
    return std::ceil(text_width(theme.fonts.words, parameter.name)) + name_gap(theme) +
           2 * arrow_button_width(theme) + value_width(theme, parameter, value);
}

std::optional<std::string> knob(const Theme& theme, FrameState& state, const ParameterDeclaration& parameter,
                                const std::string& value) {
    std::optional<std::string> turned;
    const float scale = theme.fonts.scale, height = control_height(theme);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::PushID(parameter.name.c_str());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float name_width = std::ceil(text_width(theme.fonts.words, parameter.name)) + name_gap(theme);
    const float field_width = value_width(theme, parameter, value);
    draw_text(list, theme.fonts.words,
              {origin.x, origin.y + std::round((height - text_height(theme.fonts.words)) / 2)},
              theme.text_dim, parameter.name);

    const ImVec2 body{origin.x + name_width, origin.y};
    const ImVec2 body_end{body.x + 2 * arrow_button_width(theme) + field_width, body.y + height};
    const bool focused = state.focused_knob == parameter.name;
    list.AddRectFilled(body, body_end, theme.raised, 4 * scale);
    if (focused) compat::add_rect(list, body, body_end, with_alpha(theme.ideal, 0.8), 4 * scale, scale);

    int steps = 0;
    const auto down = stepped(parameter, value, -1), up = stepped(parameter, value, 1);
    ImGui::SetCursorScreenPos(body);
    if (arrow(theme, "-", parameter.name, ImGuiDir_Left, down.has_value())) steps = -1;

    const ImVec2 field{body.x + arrow_button_width(theme), body.y};
    ImGui::SetCursorScreenPos(field);
    const bool clicked = invisible_button("value", {field_width, height});
    hit_box_of_item("knob", parameter.name + " value");
    // Clicks of drag that were already converted to steps: kept while the button is held.
    int& applied = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("applied"), 0);
    if (ImGui::IsItemActivated()) applied = 0;
    const float dragged = ImGui::IsItemActive() ? ImGui::GetMouseDragDelta(0, 4 * scale).x : 0;
    const int clicks = static_cast<int>(dragged / (pixels_per_click * scale));
    const bool hovered = ImGui::IsItemHovered();
    if (hovered || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive() && clicks != applied) {
        steps = (clicks - applied) * steps_per_click(parameter);
        applied = clicks;
    }
    const bool has_keys = focused && (state.focused_pane == Pane::none || state.focused_pane == Pane::knobs);
    const bool opened = focused && state.focused_pane == Pane::knobs && !ImGui::GetIO().WantTextInput &&
                        !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId) &&
                        compat::key_pressed(compat::Key::enter);
    if ((clicked && applied == 0) || opened) {
        state.typed = value;
        ImGui::OpenPopup("type");
    }
    draw_text_centred(list, theme.fonts.code, field, {field.x + field_width, field.y + height}, theme.text,
                      grouped_text(value));

    ImGui::SetCursorScreenPos({field.x + field_width, field.y});
    if (arrow(theme, "+", parameter.name, ImGuiDir_Right, up.has_value())) steps = 1;

    const bool over = ImGui::IsMouseHoveringRect(origin, body_end) &&
                      ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    if (over && ImGui::IsMouseClicked(0)) state.focused_knob = parameter.name;
    if (over && !ImGui::IsMouseDown(0)) {
        const std::string allowed = allowed_words(parameter);
        tooltip_card(theme, parameter.help.empty() ? "`" + parameter.name + "`" : parameter.help, allowed);
    }
    if (has_keys && !state.arrows_taken && !ImGui::GetIO().WantTextInput && !ImGui::IsPopupOpen("type")) {
        if (compat::key_pressed(compat::Key::left)) steps = -1;
        if (compat::key_pressed(compat::Key::right)) steps = 1;
    }
    if (steps != 0) turned = stepped(parameter, value, steps);
    ImGui::PopStyleVar();
    if (auto typed = open_field(theme, state, parameter, value)) turned = typed;
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({body_end.x - origin.x, height});
    return turned;
}

}  // namespace warplens::app
