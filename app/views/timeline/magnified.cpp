#include "app/views/timeline/magnified.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/timeline/axis.h"
#include "app/views/timeline/rows.h"

namespace warplens::app {
namespace {

constexpr float pixels_for_a_span = 24;  // of the design, on average
constexpr double fewest_cycles_seen = 60;
constexpr std::uint64_t most_counted_spans = 4096;        // spans, one by one
constexpr float usually_enlarged = 2, most_enlarged = 6;  // times as high as in the whole

/// Spans of all rows in a range; those of its bins where that is too many to matter.
std::uint64_t spans_in(const TimelineCanvas& whole, std::span<const TimelineLine> rows,
                       analysis::CycleRange range) {
    std::uint64_t about = 0, spans = 0;
    for (const TimelineLine& line : rows) about += whole.index.sums().span_count(line.row, range);
    if (about > most_counted_spans) return about;
    for (const TimelineLine& line : rows)
        whole.index.sums().for_each_span(line.row, range, [&](auto&&...) { ++spans; });
    return spans;
}

/// So many cycles around `at` that the spans of all rows are wide enough for words.
CycleView view_around(const TimelineCanvas& whole, std::span<const TimelineLine> rows, double at) {
    const double all = static_cast<double>(whole.index.sums().cycles());
    const double most =
        whole.plot.width() * static_cast<double>(rows.size()) / whole.ink.px(pixels_for_a_span);
    for (double size = all;; size *= 0.8) {
        const double first = std::clamp(at - 0.1 * size, 0.0, std::max(all - size, 0.0));
        const CycleView view{first, first + size};
        const analysis::CycleRange range{static_cast<std::uint32_t>(view.first),
                                         static_cast<std::uint32_t>(view.last)};
        if (size <= fewest_cycles_seen || static_cast<double>(spans_in(whole, rows, range)) <= most)
            return view;
    }
}

}  // namespace

float draw_magnified(const TimelineCanvas& whole, std::uint32_t at, float bottom, float wanted) {
    const Ink& ink = whole.ink;
    const float end = whole.lines.back().y1;
    if (draws_single_spans(whole)) return end;
    std::vector<TimelineLine> rows;
    float height = 0;
    for (const TimelineLine& line : whole.lines) {
        if (line.head) continue;
        rows.push_back(line);
        height += line.y1 - line.y0;
    }
    const float heading = text_height(ink.theme.fonts.small), fan = ink.px(30), axis = ink.px(20);
    if (rows.empty() || end + fan + heading + axis + height > bottom) return end;
    const auto factor_to = [&](float to) { return (to - end - fan - heading - axis) / height; };
    const float usual = std::min(factor_to(bottom), usually_enlarged);
    const float factor = std::clamp(factor_to(wanted), usual, most_enlarged);
    TimelineCanvas canvas = whole;
    canvas.view = view_around(whole, rows, at);
    float y = end + fan + heading + axis;
    canvas.plot.y0 = canvas.gutter.y0 = y;
    for (TimelineLine& row : rows) {
        const float high = std::floor(factor * (row.y1 - row.y0));
        row.y0 = y;
        row.y1 = y += high;
    }
    canvas.plot.y1 = canvas.gutter.y1 = y;
    canvas.lines = rows;
    const ImU32 thin = ink.theme.text_dim;
    const float top = end + fan + heading;
    for (const auto& [cycle, x] :
         {std::pair{canvas.view.first, canvas.plot.x0}, {canvas.view.last, canvas.plot.x1}})
        ink.line({whole.x_of(cycle), end}, {x, top}, thin, ink.px(1));
    const std::string words =
        fmt::format("magnified: cycles {} to {}", grouped(static_cast<std::uint64_t>(canvas.view.first)),
                    grouped(static_cast<std::uint64_t>(canvas.view.last)));
    // Right of the left line, where that is furthest to the right beside the words.
    const float under = ink.px(20), left = whole.x_of(canvas.view.first);
    const float beside = left + (canvas.plot.x0 - left) * under / (top - end) + ink.px(8);
    const float last = canvas.plot.x1 - text_width(ink.theme.fonts.small, words);
    draw_text(*ink.list, ink.theme.fonts.small, {std::min(beside, last), end + under}, thin, words);
    draw_time_axis(canvas, {canvas.plot.x0, top, canvas.plot.x1, top + axis}, "cycle", cycle_tick_words);
    draw_line_names(canvas);
    ink.list->PushClipRect(canvas.plot.min(), canvas.plot.max(), true);
    draw_spans(canvas, {});
    ink.list->PopClipRect();
    return y;
}

}  // namespace warplens::app
