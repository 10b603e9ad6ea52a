#include "app/views/lanes/sides.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

float lane_side_gutter(const Ink& ink) { return text_width(ink.theme.fonts.small, "lane 0") + ink.px(10); }

Box draw_lane_side(const Ink& ink, Box box, const LaneSide& side, const StepRange& range, int lane,
                   std::uint32_t stretch) {
    const Theme& theme = ink.theme;
    const float small = text_height(theme.fonts.small) + ink.px(6);
    const Box words = box.take_top(text_height(theme.fonts.words) + ink.px(4));
    const Box marks = box.take_top(small);
    const Box lines = box.take_bottom(small);
    ink.text(words,
             fmt::format("{}: {}, {} of 32 lanes active", side.name, counted(side.timeline.steps, "step"),
                         decimal(side.timeline.mean_active_lanes())),
             theme.fonts.words, theme.text);
    const float left = box.x0 - lane_side_gutter(ink);
    ink.text({left, lines.y0, box.x0, lines.y1}, "line", theme.fonts.small, theme.text_dim);
    if (box.height() >= small)
        ink.text({left, box.y0, box.x0, box.y0 + small}, "lane 0", theme.fonts.small, theme.text_dim);
    if (box.height() >= 2 * small)
        ink.text({left, box.y1 - small, box.x0, box.y1}, "31", theme.fonts.small, theme.text_dim);
    draw_lane_grid(ink, box, side.timeline, range, lane, stretch);
    draw_lane_events(ink, marks, box, side.timeline, range);
    draw_lane_lines(ink, lines, side.timeline, range, side.program);
    const auto end = static_cast<double>(side.timeline.steps);
    if (end >= range.last || end < range.first) return box;
    const float x = x_of_step(box, range, end);
    ink.line({x, box.y0}, {x, box.y1}, theme.text, ink.px(1.5f));
    ink.text_if_fits({x + ink.px(6), box.y0, box.x1, std::min(box.y0 + small, box.y1)},
                     fmt::format("ends after {}", counted(side.timeline.steps, "step")), theme.fonts.small,
                     theme.text_dim, Align::left);
    return box;
}

std::string lane_change_words(const analysis::LaneTimeline& before, const analysis::LaneTimeline& after) {
    std::string words;
    if (before.steps == after.steps) {
        words = counted(after.steps, "step") + " in both runs";
    } else {
        const double share = double(after.steps) / double(std::max<std::uint64_t>(before.steps, 1)) - 1;
        words = fmt::format("{} → {} steps ({}{})", grouped(before.steps), grouped(after.steps),
                            share < 0 ? "−" : "+", percent(std::abs(share), 0));
    }
    const std::string was = decimal(before.mean_active_lanes()), is = decimal(after.mean_active_lanes());
    return words + (was == is ? fmt::format(", {} of 32 lanes active", is)
                              : fmt::format(", {} → {} of 32 lanes active", was, is));
}

}  // namespace warplens::app
