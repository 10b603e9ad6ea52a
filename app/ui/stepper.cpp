#include "app/ui/stepper.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/ui/arrow_button.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

float gap(const Theme& theme) { return std::round(8 * theme.fonts.scale); }
float tick_size(const Theme& theme) { return std::round(14 * theme.fonts.scale); }

float value_width(const Theme& theme, const StepperLook& look) {
    return std::ceil(std::max(text_width(theme.fonts.code, look.value),
                              text_width(theme.fonts.code, look.widest))) +
           gap(theme);
}

bool arrow(const Theme& theme, const StepperLook& look, const char* which, ImGuiDir direction,
           bool possible) {
    const bool clicked = arrow_button(theme, which, direction, possible);
    hit_box_of_item(look.name, which);
    return clicked;
}

}  // namespace

float stepper_width(const Theme& theme, const StepperLook& look) {
    return std::ceil(text_width(theme.fonts.words, look.caption)) + gap(theme) +
           2 * arrow_button_width(theme) + value_width(theme, look);
}

int stepper(const Theme& theme, const StepperLook& look) {
    const float scale = theme.fonts.scale, height = control_height(theme);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float width = stepper_width(theme, look);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string id(look.name);
    ImGui::PushID(id.c_str());
    draw_text(list, theme.fonts.words,
              {origin.x, origin.y + std::round((height - text_height(theme.fonts.words)) / 2)},
              look.turned ? theme.text : theme.text_dim, look.caption);
    const ImVec2 end{origin.x + width, origin.y + height};
    const ImVec2 body{end.x - 2 * arrow_button_width(theme) - value_width(theme, look), origin.y};
    list.AddRectFilled(body, end, theme.raised, 4 * scale);
    if (look.turned) compat::add_rect(list, body, end, theme.ideal, 4 * scale, 1.5f * scale);
    int steps = 0;
    ImGui::SetCursorScreenPos(body);
    if (arrow(theme, look, "-", ImGuiDir_Left, look.can_go_down)) steps = -1;
    draw_text_centred(list, theme.fonts.code, {body.x + arrow_button_width(theme), body.y},
                      {end.x - arrow_button_width(theme), end.y}, theme.text, look.value);
    ImGui::SetCursorScreenPos({end.x - arrow_button_width(theme), body.y});
    if (arrow(theme, look, "+", ImGuiDir_Right, look.can_go_up)) steps = 1;
    if (!look.help.empty() && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        ImGui::IsMouseHoveringRect(origin, end) && !ImGui::IsMouseDown(0))
        tooltip_card(theme, look.help);
    ImGui::PopID();
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({width, height});
    return steps;
}

float switch_width(const Theme& theme, std::string_view words) {
    return tick_size(theme) + 3 * gap(theme) + std::ceil(text_width(theme.fonts.words, words));
}

bool switch_button(const Theme& theme, std::string_view name, std::string_view words, std::string_view help,
                   bool on) {
    const float scale = theme.fonts.scale, height = control_height(theme), side = tick_size(theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end{at.x + switch_width(theme, words), at.y + height};
    const std::string id(name);
    const bool clicked = invisible_button(id.c_str(), {end.x - at.x, height});
    hit_box_of_item(name);
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, end, hovered ? mix(theme.raised, theme.text, 0.08) : theme.raised, 4 * scale);
    if (on) compat::add_rect(list, at, end, theme.ideal, 4 * scale, 1.5f * scale);
    const ImVec2 box{at.x + gap(theme), at.y + std::round((height - side) / 2)};
    const ImVec2 box_end{box.x + side, box.y + side};
    if (on) list.AddRectFilled(box, box_end, theme.ideal, 3 * scale);
    else compat::add_rect(list, box, box_end, theme.text_dim, 3 * scale, scale);
    if (on) {
        const ImVec2 tick[] = {{box.x + side * 0.22f, box.y + side * 0.52f},
                               {box.x + side * 0.42f, box.y + side * 0.72f},
                               {box.x + side * 0.80f, box.y + side * 0.30f}};
        compat::add_polyline(list, tick, 3, theme.text_on(theme.ideal), false, 2 * scale);
    }
    draw_text(list, theme.fonts.words,
              {box_end.x + gap(theme), at.y + std::round((height - text_height(theme.fonts.words)) / 2)},
              on ? theme.text : theme.text_dim, words);
    if (hovered && !help.empty()) tooltip_card(theme, help);
    return clicked;
}

}  // namespace warplens::app
