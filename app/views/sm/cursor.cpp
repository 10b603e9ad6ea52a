#include "app/views/sm/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/scene/play_head.h"
#include "app/ui/arrow_button.h"
#include "app/ui/button.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/number.h"
#include "app/ui/segments.h"
#include "app/ui/text.h"
#include "app/ui/tick_step.h"
#include "app/ui/tooltip.h"

namespace warplens::app {
namespace {

const std::array<Segment, 2> sm_levels{
    {{"sm ptx", "PTX", "Times of the PTX's estimated code: the play head moves through them."},
     {"sm machine", "machine code", "Times of the machine code, with its scoreboards."}}};

/// From the first position to the last, with the moment marked. Returns where it was clicked or dragged to.
std::optional<double> draw_bar(const ViewFrame& frame, const Ink& ink, const SmMoment& moment, Box box) {
    const Theme& theme = ink.theme;
    const double last = std::max(moment.last, 1.0);
    const auto x_of = [&](double at) {
        return box.x0 + box.width() * static_cast<float>(std::clamp(at / last, 0.0, 1.0));
    };
    const float small = text_height(theme.fonts.small);
    const Box bar{box.x0, box.y0 + ink.px(3), box.x1, box.y0 + ink.px(9)};
    ink.fill(bar, theme.raised, ink.px(3));
    ink.fill({bar.x0, bar.y0, x_of(moment.at), bar.y1}, mix(theme.selected, theme.background, 0.5),
             ink.px(3));
    const float x = x_of(moment.at);
    ink.fill({x - ink.px(2), box.y0, x + ink.px(2), box.y0 + ink.px(12)}, theme.selected, ink.px(2));
    const double step = tick_step(last, box.width(), ink.px(90));
    for (double at = 0; at <= last; at += step) {
        const std::string number = grouped(static_cast<std::uint64_t>(at));
        const std::string label = at == 0 ? fmt::format("{} {}", moment.unit, number) : number;
        const float width = text_width(theme.fonts.small, label);
        if (x_of(at) + width > box.x1) break;
        ink.text({x_of(at), box.y0 + ink.px(12), x_of(at) + width + 1, box.y0 + ink.px(12) + small}, label,
                 theme.fonts.small, theme.text_dim);
    }
    hit_box("sm moment", bar.min(), {bar.x1, box.y1});
    if (!frame.interactive) return std::nullopt;
    ImGui::SetCursorScreenPos(box.min());
    invisible_button("sm moment bar", {box.width(), box.height()});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered && !ImGui::IsItemActive())
        tooltip_card(theme, "Drag to another moment; all views follow where the times are the play head's.");
    if (!ImGui::IsItemActive()) return std::nullopt;
    const double share = static_cast<double>(ImGui::GetIO().MousePos.x - box.x0) / box.width();
    return std::clamp(std::round(share * last), 0.0, moment.last);
}

}  // namespace

SmMomentOrders draw_sm_moment(ViewFrame& frame, const SmMoment& moment) {
    SmMomentOrders orders;
    const Theme& theme = frame.theme;
    const Ink ink{ImGui::GetWindowDrawList(), theme};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = std::max(control_height(theme), ink.px(12) + text_height(theme.fonts.small));
    Box box{at.x, at.y, at.x + width, at.y + height};
    if (frame.interactive) {
        if (moment.can_play && frame.play) {
            if (text_button(
                    theme, "sm play", frame.play->playing() ? "Pause" : "Play",
                    "Move the play head through the run; all views follow (Space; [ and ] change its speed)"))
                frame.commands.toggle_play = true;
            box.take_left(text_button_width(theme, "Pause") + ink.px(6));
        }
        ImGui::SetCursorScreenPos(box.min());
        if (arrow_button(theme, "sm back", ImGuiDir_Left, moment.at > 0)) orders.move_to = moment.at - 1;
        hit_box_of_item("sm back");
        box.take_left(arrow_button_width(theme));
        ImGui::SetCursorScreenPos(box.min());
        if (arrow_button(theme, "sm on", ImGuiDir_Right, moment.at < moment.last))
            orders.move_to = moment.at + 1;
        hit_box_of_item("sm on");
        box.take_left(arrow_button_width(theme) + ink.px(8));
        if (moment.can_choose_level) {
            const float wide = segments_width(theme, sm_levels);
            const Box right = box.take_right(wide);
            box.take_right(ink.px(12));
            ImGui::SetCursorScreenPos(right.min());
            const std::size_t now = moment.level == Level::machine ? 1 : 0;
            if (const std::size_t chosen = segments(theme, sm_levels, now); chosen != now)
                orders.level = chosen == 1 ? Level::machine : Level::ptx;
        }
    }
    if (box.width() > ink.px(60))
        if (const auto to = draw_bar(frame, ink, moment, box)) orders.move_to = to;
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
    return orders;
}

}  // namespace warplens::app
