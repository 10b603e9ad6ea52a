#include "app/views/timeline/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/timeline/axis.h"

namespace warplens::app {

namespace {

constexpr std::uint64_t most_single_spans = 10'000;

struct Extent {
    float x0, x1;
};

/// The pixels of a stretch of cycles, cut to the plot.
Extent extent_of(const TimelineCanvas& canvas, std::uint32_t begin, std::uint32_t end) {
    return {std::max(canvas.x_of(begin), canvas.plot.x0), std::min(canvas.x_of(end), canvas.plot.x1)};
}

/// What the labels leave of a line's room: the longer part, before or after each.
Box room_beside(Box room, std::span<const Box> labels, float gap) {
    for (const Box& label : labels) {
        const bool apart = label.x1 + gap <= room.x0 || label.x0 - gap >= room.x1 || label.y1 <= room.y0 ||
                           label.y0 >= room.y1;
        if (apart) continue;
        if (label.x0 - room.x0 >= room.x1 - label.x1) room.x1 = label.x0 - gap;
        else room.x0 = label.x1 + gap;
    }
    return room;
}

/// The text in a span: the instruction, and the stall reason if both fit.
void draw_span_words(const TimelineCanvas& canvas, const Box& box, const trace::StateSpan& span, ImU32 fill,
                     std::span<const Box> labels) {
    const Theme& theme = canvas.frame.theme;
    const float pad = canvas.ink.px(4);
    if (box.width() < canvas.ink.px(20) || text_height(theme.fonts.small) * 0.8f > box.height()) return;
    const Site* site = canvas.index.site(span.site());
    const std::string_view opcode = site ? std::string_view(site->opcode) : "";
    const Box room = room_beside({box.x0 + pad, box.y0, box.x1 - pad, box.y1}, labels, pad);
    const ImU32 ink = theme.text_on(fill);
    if (span.state() == WarpState::selected) {
        canvas.ink.text_if_fits(room, opcode, theme.fonts.small, ink, Align::left);
        return;
    }
    const std::string_view title = info(span.state()).title;
    const std::string both = fmt::format("{}, then {}", title, opcode);
    canvas.ink.text_if_fits(room, both, theme.fonts.small, ink, Align::left) ||
        canvas.ink.text_if_fits(room, title, theme.fonts.small, ink, Align::left);
}

}  // namespace

bool draws_single_spans(const TimelineCanvas& canvas) {
    std::uint64_t spans = 0;
    for (const TimelineLine& line : canvas.lines)
        if (!line.head) spans += canvas.index.sums().span_count(line.row, canvas.cycles());
    // A span of three pixels can be distinguished from its neighbors.
    const double pixels = static_cast<double>(canvas.plot.width()) * static_cast<double>(canvas.lines.size());
    return spans < most_single_spans && static_cast<double>(spans) * 3 < pixels;
}

void draw_spans(const TimelineCanvas& canvas, std::span<const Box> labels) {
    const Theme& theme = canvas.frame.theme;
    ImDrawList& list = *canvas.ink.list;
    const float least = std::max(1.0f, canvas.ink.px(1)), space = canvas.ink.px(1);
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) continue;
        const float bottom = line.y1 - (line.y1 - line.y0 < canvas.ink.px(5) ? 0 : space);
        // Issues last, so that no other span covers them.
        for (const bool issues : {false, true}) {
            canvas.index.sums().for_each_span(
                line.row, canvas.cycles(),
                [&](std::uint32_t, const trace::StateSpan& span, std::uint32_t begin, std::uint32_t end) {
                    if ((span.state() == WarpState::selected) != issues) return;
                    auto [x0, x1] = extent_of(canvas, begin, end);
                    if (x1 <= canvas.plot.x0 || x0 >= canvas.plot.x1) return;
                    if (issues) x1 = std::max(x1, x0 + least);
                    else if (x1 - x0 > 6 * space) x1 -= space;
                    const ImU32 fill = theme.state(span.state());
                    list.AddRectFilled({x0, line.y0}, {x1, bottom}, fill);
                    const Box box{x0, line.y0, x1, bottom};
                    if (is_hatched(span.state()) && box.width() > 3)
                        canvas.ink.hatch(box, hatch_on(theme, fill), 4);
                    draw_span_words(canvas, box, span, fill, labels);
                });
        }
    }
}

void draw_issue_slots(const TimelineCanvas& canvas, const TimelineDensity& density) {
    const Theme& theme = canvas.frame.theme;
    ImDrawList& list = *canvas.ink.list;
    const ImU32 issuing = theme.state(WarpState::selected);
    const bool cells = canvas.cycle_width() >= canvas.ink.px(3);
    for (const TimelineLine& line : canvas.lines) {
        if (!line.head) continue;
        list.AddRectFilled({canvas.plot.x0, line.y0}, {canvas.plot.x1, line.y1}, theme.raised);
        if (cells) {
            const auto range = canvas.cycles();
            const float space = canvas.ink.px(1);
            for (std::uint32_t c = range.begin; c < range.end; ++c) {  // the grid of slots
                const float x = canvas.x_of(c);
                if (x > canvas.plot.x0)
                    list.AddRectFilled({x - space, line.y0}, {x, line.y1}, theme.background);
            }
            for (std::size_t row = line.row; row < canvas.index.sums().rows().size(); ++row) {
                if (canvas.index.sums().rows()[row].scheduler != line.group) break;
                canvas.index.sums().for_each_span(
                    row, range,
                    [&](std::uint32_t, const trace::StateSpan& span, std::uint32_t begin, std::uint32_t end) {
                        if (span.state() != WarpState::selected) return;
                        for (std::uint32_t c = begin; c < end; ++c) {
                            const auto [x0, x1] = extent_of(canvas, c, c + 1);
                            if (x1 - space > x0)
                                list.AddRectFilled({x0, line.y0}, {x1 - space, line.y1}, issuing);
                        }
                    });
            }
            continue;
        }
        // Bars in steps of a pixel, so that alike neighbours join.
        const auto& share = density.issued(line.group);
        const float height = line.y1 - line.y0;
        const auto bar = [&](std::size_t x) {
            const float pixels = share[x] * height;
            return pixels > 0.02f ? std::max(1.0f, std::round(pixels)) : 0.0f;
        };
        for (std::size_t x = 0; x < share.size();) {
            std::size_t end = x + 1;
            while (end < share.size() && bar(end) == bar(x)) ++end;
            if (bar(x) > 0)
                list.AddRectFilled({canvas.plot.x0 + static_cast<float>(x), line.y1 - bar(x)},
                                   {canvas.plot.x0 + static_cast<float>(end), line.y1}, issuing);
            x = end;
        }
    }
}

void draw_line_names(const TimelineCanvas& canvas) {
    const Theme& theme = canvas.frame.theme;
    const analysis::ScheduleSums& sums = canvas.index.sums();
    const auto range = canvas.cycles();
    const std::uint32_t chosen = canvas.index.warp_of_record(canvas.frame.selection.chosen.warp_record);
    GutterNames names(canvas);
    const auto only_warp = [&](std::size_t row) {  // that is seen in the row; no_index when there are more
        std::uint32_t only = no_index;
        for (const std::uint32_t warp : sums.rows()[row].warps) {
            const trace::ScheduledWarp& scheduled = canvas.index.schedule().warps[warp];
            if (scheduled.departure <= range.begin || scheduled.arrival >= range.end) continue;
            if (only != no_index) return no_index;
            only = warp;
        }
        return only;
    };
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) {
            names.name(line, fmt::format("Scheduler {}", line.group), theme.text);
            continue;
        }
        const analysis::SlotRow& row = sums.rows()[line.row];
        const auto every = static_cast<unsigned>(std::ceil(name_height(theme) / (line.y1 - line.y0)));
        if (row.slot % std::max(every, 1u) != 0) continue;
        const std::uint32_t warp = only_warp(line.row);
        const bool has_chosen = chosen != no_index && canvas.index.row_of_warp(chosen) == line.row;
        names.name(line, warp == no_index ? fmt::format("slot {}", row.slot) : canvas.index.warp_words(warp),
                   has_chosen ? theme.text : theme.text_dim);
    }
}

}  // namespace warplens::app
