#include "app/views/timeline/chrome.h"
#include "app/scene/scene_words.h"

#include <algorithm>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/invisible_button.h"
#include "app/ui/text.h"
#include "app/views/shared/title_line.h"
#include "app/views/timeline/mouse.h"

namespace warplens::app {

bool legend_fits(const Theme& theme, const Ink& ink, const Box& all,
                 const std::vector<LegendEntry>& entries) {
    const float height = legend_size(theme, entries, all.width()).y;
    const bool one_line = height <= legend_size(theme, {}, all.width()).y;
    // Title, axis and last line take 97. Of the rest, rows need more where the legend is not beside the last
    // line.
    return all.height() > height + ink.px(one_line ? 110 : 138);
}

void draw_timeline_foot(const ViewFrame& frame, const Ink& ink, Box& all,
                        const std::vector<LegendEntry>& entries, const std::string& words) {
    const Theme& theme = frame.theme;
    const float provenance =
        text_width(theme.fonts.small, words + " · " + sampled_words(*frame.scene)) + ink.px(4);
    const ImVec2 size = legend_size(theme, entries, all.width());
    const bool fits = legend_fits(theme, ink, all, entries);
    const bool one_line = fits && size.x + provenance + ink.px(32) < all.width();
    Box last = all.take_bottom(provenance_line_height(theme));
    if (one_line) last.x0 = last.x1 - provenance;
    if (fits) {
        const Box box = one_line ? Box{all.x0, last.y0, all.x1, last.y1} : all.take_bottom(size.y);
        ImGui::SetCursorScreenPos(box.min());
        legend(theme, entries, box.width());
    }
    all.take_bottom(ink.px(4));
    ImGui::SetCursorScreenPos(last.min());
    provenance_line(theme, *frame.scene, words);
    ImGui::SetCursorScreenPos(all.min());
}

Box take_timeline_side(const Ink& ink, Box& all, float& taken) {
    if (all.width() < ink.px(880)) return {};
    Box side = all.take_right(std::round(std::min(ink.px(300), all.width() * 0.26f)));
    all.take_right(ink.px(24));
    if (taken > 0) side.take_top(ink.px(34));
    taken = std::max(0.0f, taken - side.width() - ink.px(24));
    return side;
}

void draw_timeline_title(const ViewFrame& frame, Box& all, std::span<const std::string> wordings,
                         float room) {
    std::string chosen = wordings.back();
    for (const std::string& wording : wordings) {
        const float width = text_width(frame.theme.fonts.title, wording);
        if (width <= room || (all.height() > frame.theme.fonts.scale * 520 && width < 2 * room)) {
            chosen = wording;
            break;
        }
    }
    ImGui::SetCursorScreenPos(all.min());
    const Fonts& fonts = frame.theme.fonts;
    if (text_width(fonts.title, chosen) >= 2 * room) {
        // Beside the search there is room for a few words only: in many lines they would take the plot's.
        std::erase(chosen, '`');
        text_item(fonts.title, frame.theme.text, fit_text(fonts.title, chosen, room));
        all.y0 = ImGui::GetCursorScreenPos().y;
        return;
    }
    rich_text(frame.theme, fonts.title, fonts.code_title, frame.theme.text, chosen,
              even_width(frame.theme, fonts.title, fonts.code_title, chosen, room));
    all.y0 = ImGui::GetCursorScreenPos().y;
}

TimelineArea begin_timeline_plot(ViewFrame& frame, const Ink& ink, Box all, TimelineNavigation& navigation) {
    const Theme& theme = frame.theme;
    TimelineArea area;
    const Box body = all;
    area.gutter = all.take_left(
        std::min(text_width(theme.fonts.small, "block 1,000 warp 31") + ink.px(8), all.width() * 0.25f));
    area.plot = all;
    area.axis = area.plot.take_top(ink.px(20));
    area.strip = area.plot.take_top(ink.px(16));
    area.plot.take_top(ink.px(3));
    area.gutter.y0 = area.plot.y0;
    area.gutter.y1 = area.plot.y1;
    hit_box("timeline plot", area.plot.min(), area.plot.max());
    hit_box("timeline axis", area.axis.min(), area.axis.max());
    if (!frame.interactive || body.width() <= 1 || body.height() <= 1) return area;
    ImGui::SetCursorScreenPos(body.min());
    invisible_button("timeline body", {body.width(), body.height()});
    area.hovered = ImGui::IsItemHovered();
    area.mouse = ImGui::GetMousePos();
    frame.commands.takes_arrow_keys = frame.commands.takes_arrow_keys || area.hovered || frame.focused;
    if (area.hovered) take_wheel(navigation, area.plot, area.mouse, theme.fonts.scale);
    return area;
}

}  // namespace warplens::app
