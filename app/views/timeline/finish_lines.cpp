#include "app/views/timeline/finish_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/text.h"

namespace warplens::app {
namespace {

/// A line of words on a ground of its own; false, and nothing drawn, where they do not fit.
bool draw_words(const Ink& ink, const Box& room, std::string_view words, Align align) {
    const Theme& theme = ink.theme;
    const float width = text_width(theme.fonts.small, words) + ink.px(12);
    const float height = text_height(theme.fonts.small) + ink.px(4);
    if (width > room.width() || height > room.height()) return false;
    Box card{room.x0, room.y0, room.x0 + width, room.y0 + height};
    if (align == Align::right) card = {room.x1 - width, room.y0, room.x1, room.y0 + height};
    ink.fill(card, theme.background, ink.px(3));
    ink.text(card, words, theme.fonts.small, theme.text, Align::centre);
    return true;
}

}  // namespace

void draw_finish_lines(const TimelinePlot& plot, const Box& axis, const Finish& before, const Finish& after,
                       const std::string& difference, bool one_clock) {
    const Ink& ink = plot.ink;
    const Theme& theme = ink.theme;
    const bool saved = after.end < before.end;
    const auto seen = [&](double at) { return std::clamp(plot.x_of(at), plot.plot.x0, plot.plot.x1); };
    // The rows of the current run end where cycles are saved; where they go on, only the axis is shaded.
    const Box gap{seen(std::min(before.end, after.end)), axis.y0, seen(std::max(before.end, after.end)),
                  saved ? plot.plot.y1 : plot.plot.y0};
    if (one_clock) ink.fill(gap, with_alpha(saved ? theme.ideal : theme.cost, 0.14));
    for (const double end : {before.end, after.end}) {
        if (end < plot.view.first || end > plot.view.last) continue;
        const float x = std::min(plot.x_of(end), plot.plot.x1 - ink.px(1));
        ink.line({x, axis.y1}, {x, plot.plot.y1}, theme.text, ink.px(1.5f));
    }
    if (difference.empty() || !one_clock || before.end == after.end) return;
    const float inset = ink.px(6), top = plot.plot.y0 + ink.px(4);
    if (!saved) {
        const std::string ends_first = fmt::format("{} ends, {} earlier", before.name, difference);
        const Box left{plot.plot.x0, top, gap.x0 - inset, plot.plot.y1};
        const Box right{gap.x0 + inset, top, plot.plot.x1, plot.plot.y1};
        if (!draw_words(ink, left, ends_first, Align::right)) draw_words(ink, right, ends_first, Align::left);
        return;
    }
    const Box room{gap.x0 + inset, top, gap.x1 - inset, plot.plot.y1};
    const std::string words = difference + " saved";
    const std::string full = fmt::format("{}: {} saved", before.name, difference);
    const bool fits = text_width(theme.fonts.small, full) + ink.px(12) <= room.width();
    draw_words(ink, room, fits ? full : words, Align::left);
}

}  // namespace warplens::app
