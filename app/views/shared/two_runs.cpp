#include "app/views/shared/two_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/default_selection.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

const Spot& Counterpart::of(const ViewFrame& frame, std::string_view view, const Spot& spot) {
    if (scene_ == frame.scene && baseline_ == frame.baseline && spot_ == spot) return found_;
    scene_ = frame.scene;
    baseline_ = frame.baseline;
    spot_ = spot;
    found_ = carried_over(*frame.scene, spot, *frame.baseline, default_selection(*frame.baseline, view));
    return found_;
}

RunBoxes boxes_of_runs(const Ink& ink, const Box& box, float least_width) {
    RunBoxes boxes{box, box};
    const float gap = ink.px(24);
    if ((box.width() - gap) / 2 >= least_width) {
        boxes.before.x1 = box.x0 + (box.width() - gap) / 2;
        boxes.after.x0 = boxes.before.x1 + gap;
    } else {
        boxes.before.y1 = box.y0 + (box.height() - gap / 2) / 2;
        boxes.after.y0 = boxes.before.y1 + gap / 2;
    }
    return boxes;
}

void run_heading(const Ink& ink, Box& box, std::string_view name, std::initializer_list<std::string> figures,
                 ImU32 colour) {
    const Theme& theme = ink.theme;
    Box rest = box.take_top(text_height(theme.fonts.title) + ink.px(6));
    const float wanted = text_width(theme.fonts.title, name);
    // Two kernels often begin alike: without figures beside it, the name has all the room.
    const float most = figures.size() == 0 ? box.width() : box.width() * 0.6f;
    ink.text(rest.take_left(std::min(std::ceil(wanted) + 1, most)), name, theme.fonts.title, theme.text);
    rest.take_left(ink.px(12));
    const std::string* shown = nullptr;
    for (const std::string& words : figures) {
        shown = &words;
        if (text_width(theme.fonts.words, words) <= rest.width()) break;
    }
    if (shown) ink.text(rest, *shown, theme.fonts.words, colour);
}

void outline_change(const Ink& ink, const Box& cell) {
    const float corner = ink.px(6);
    const bool room = std::min(cell.width(), cell.height()) >= 2 * corner;
    if (room) ink.outline(cell, ink.theme.background, ink.px(2));
    ink.outline(cell, ink.theme.text, ink.px(1));
    if (!room) return;
    ink.list->AddTriangleFilled({cell.x1 - corner, cell.y0}, {cell.x1, cell.y0}, {cell.x1, cell.y0 + corner},
                                ink.theme.text);
}

LegendEntry change_entry(const Theme& theme, std::string_view other_run) {
    return {theme.text, fmt::format("differs from {}", other_run), LegendEntry::Shape::cornered};
}

std::string figure_change_words(std::uint64_t before, std::uint64_t after, std::string_view unit) {
    if (before == after) return fmt::format("{} {} in both runs", grouped(after), unit);
    std::string words = fmt::format("{} → {} {}", grouped(before), grouped(after), unit);
    if (before == 0) return words;
    const double share = double(after) / double(before) - 1;
    return words + fmt::format(" ({}{})", share < 0 ? "−" : "+", percent(std::abs(share), 0));
}

}  // namespace warplens::app
