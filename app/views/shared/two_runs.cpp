#include "app/views/shared/two_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/default_selection.h"
#include "app/scene/view_list.h"
#include "app/scene/view_relevance.h"
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

namespace {

/// Two kernels often begin alike: without figures beside it, the name has all the room.
float name_width(const Ink& ink, const Box& box, std::string_view name, bool has_figures) {
    const float wanted = std::ceil(text_width(ink.theme.fonts.title, name)) + 1;
    return std::min(wanted, has_figures ? box.width() * 0.6f : box.width());
}

bool figures_fit(const Ink& ink, const Box& box, std::string_view name, const std::string& words) {
    const float room = box.width() - name_width(ink, box, name, true) - ink.px(12);
    return text_width(ink.theme.fonts.words, words) <= room;
}

}  // namespace

void run_heading(const Ink& ink, Box& box, std::string_view name, std::initializer_list<std::string> figures,
                 ImU32 colour) {
    const Theme& theme = ink.theme;
    const std::string* shown = nullptr;
    for (const std::string& words : figures) {
        shown = &words;
        if (figures_fit(ink, box, name, words)) break;
    }
    Box rest = box.take_top(text_height(theme.fonts.title) + ink.px(6));
    ink.text(rest.take_left(name_width(ink, rest, name, shown != nullptr)), name, theme.fonts.title,
             theme.text);
    rest.take_left(ink.px(12));
    if (shown) ink.text(rest, *shown, theme.fonts.words, colour);
}

void run_headings(const Ink& ink, RunBoxes& boxes, const RunHeading& before, const RunHeading& after,
                  ImU32 colour) {
    const std::size_t wordings = std::min(before.figures.size(), after.figures.size());
    std::size_t at = 0;
    while (at + 1 < wordings && !(figures_fit(ink, boxes.before, before.name, before.figures[at]) &&
                                  figures_fit(ink, boxes.after, after.name, after.figures[at])))
        ++at;
    run_heading(ink, boxes.before, before.name, {before.figures[at]}, colour);
    run_heading(ink, boxes.after, after.name, {after.figures[at]}, colour);
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

std::string fewer_words(std::uint64_t before, std::uint64_t after, std::string_view other_run) {
    if (before == after) return fmt::format("as many as {}", other_run);
    const double share = double(after) / double(std::max<std::uint64_t>(before, 1)) - 1;
    return fmt::format("{} {} than {}", percent(std::abs(share), 0), share < 0 ? "fewer" : "more", other_run);
}

std::string next_step_of_two(const ViewFrame& frame, std::string_view view, std::string_view alone) {
    const ViewRow* row = find_view_row(view);
    if (!frame.baseline || row == nullptr || !has_content(*frame.baseline, *row)) return std::string(alone);
    return fmt::format("{} has some: compare the two runs the other way round to see them.",
                       frame.baseline_name);
}

std::string figure_change_words(std::uint64_t before, std::uint64_t after, std::string_view unit) {
    if (before == after) return fmt::format("{} {} in both runs", grouped(after), unit);
    std::string words = fmt::format("{} → {} {}", grouped(before), grouped(after), unit);
    if (before == 0) return words;
    const double share = double(after) / double(before) - 1;
    return words + fmt::format(" ({}{})", share < 0 ? "−" : "+", percent(std::abs(share), 0));
}

}  // namespace warplens::app
