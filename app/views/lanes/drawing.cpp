#include "app/views/lanes/drawing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

using analysis::LaneEvent;
using analysis::LaneStretch;
using analysis::LaneTimeline;
using analysis::PredicatedSteps;

/// How much of its colour a lane loses whose predicate is off.
constexpr float paler = 0.65f;

/// Runs of neighbouring lanes that are on, as (first, count).
template <class Use>
void for_each_run(LaneMask mask, Use&& use) {
    for (int lane = 0; lane < warp_size;) {
        if (!mask.has(lane)) {
            ++lane;
            continue;
        }
        const int first = lane;
        while (lane < warp_size && mask.has(lane)) ++lane;
        use(first, lane - first);
    }
}

Box cells(const Box& box, float x0, float x1, int lane, int count, float gap) {
    const float row = box.height() / warp_size;
    return {x0, box.y0 + row * static_cast<float>(lane) + gap / 2, x1,
            box.y0 + row * static_cast<float>(lane + count) - gap / 2};
}

/// One column of pixels where stretches are narrower than a pixel: how long each lane was active, by path.
struct LaneColumn {
    std::array<float, warp_size> on{};
    std::uint32_t path = 0;
    double longest = 0;
};

/// Draws stretches as pixel columns of coverage: a stretch narrower than `finest` pixels never looks like a
/// solid cell.
void draw_coverage(const Ink& ink, const Box& box, const LaneTimeline& timeline, const StepRange& range,
                   float finest) {
    const auto columns = static_cast<std::size_t>(std::max(box.width() / finest, 1.0f));
    std::vector<LaneColumn> coverage(columns);
    const double per_column = range.size() / static_cast<double>(columns);
    const auto for_each_column = [&](std::uint64_t first_step, std::uint64_t steps, auto&& use) {
        const double from = std::max(static_cast<double>(first_step), range.first);
        const double to = std::min(static_cast<double>(first_step + steps), range.last);
        if (to <= from) return;
        for (auto at = static_cast<std::size_t>((from - range.first) / per_column); at < columns; ++at) {
            const double begin = range.first + per_column * static_cast<double>(at);
            const double share = std::min(to, begin + per_column) - std::max(from, begin);
            if (share <= 0) break;
            use(coverage[at], share / per_column);
        }
    };
    for (const LaneStretch& stretch : timeline.stretches)
        for_each_column(stretch.first_step, stretch.steps, [&](LaneColumn& column, double share) {
            for_each_lane(stretch.active, [&](int lane) {
                column.on[static_cast<std::size_t>(lane)] += static_cast<float>(share);
            });
            if (share <= column.longest) return;
            column.longest = share;
            column.path = stretch.path;
        });
    for (const PredicatedSteps& part : timeline.predicated)
        for_each_column(part.first_step, part.steps, [&](LaneColumn& column, double share) {
            for_each_lane(part.off, [&](int lane) {
                column.on[static_cast<std::size_t>(lane)] -= static_cast<float>(share) * paler;
            });
        });
    for (std::size_t column = 0; column < columns; ++column) {
        const float x0 = box.x0 + box.width() * static_cast<float>(column) / static_cast<float>(columns);
        const float x1 = box.x0 + box.width() * static_cast<float>(column + 1) / static_cast<float>(columns);
        const ImU32 colour = colour_of_path(ink.theme, coverage[column].path);
        for (int lane = 0; lane < warp_size; ++lane) {
            const float on = coverage[column].on[static_cast<std::size_t>(lane)];
            if (on > 0.01f) ink.fill(cells(box, x0, x1, lane, 1, 0), with_alpha(colour, std::min(on, 1.0f)));
        }
    }
}

/// Over the cells of the grid: lanes whose predicate is off are paler.
void draw_predicated(const Ink& ink, const Box& box, const LaneTimeline& timeline, const StepRange& range) {
    for (const PredicatedSteps& part : timeline.predicated) {
        const auto first = static_cast<double>(part.first_step);
        const double last = first + static_cast<double>(part.steps);
        if (last <= range.first || first >= range.last) continue;
        const float x0 = std::max(x_of_step(box, range, first), box.x0);
        const float x1 = std::min(x_of_step(box, range, last), box.x1);
        for_each_run(part.off, [&](int from, int count) {
            ink.fill(cells(box, x0, x1, from, count, 0), with_alpha(ink.theme.background, paler));
        });
    }
}

const char* event_name(LaneEvent::Kind kind) {
    switch (kind) {
        case LaneEvent::Kind::split:
            return "split";
        case LaneEvent::Kind::meet:
            return "meet";
        case LaneEvent::Kind::leave:
            return "exit";
    }
    return "";
}

ImU32 event_colour(const Theme& theme, LaneEvent::Kind kind) {
    if (kind == LaneEvent::Kind::split) return theme.cost;
    return kind == LaneEvent::Kind::meet ? theme.ideal : theme.text_dim;
}

std::string event_words(const LaneEvent& event) {
    if (event.kind == LaneEvent::Kind::split) {
        return fmt::format("split {} | {}", event.taken.count(), event.lanes.count() - event.taken.count());
    }
    return fmt::format("{} {}", event_name(event.kind), event.lanes.count());
}

/// "14" or "14–17", empty if the program does not define it.
std::string lane_line_words(const LaneStretch& stretch) {
    if (stretch.min_line == 0) return {};
    if (stretch.min_line == stretch.max_line) return fmt::format("{}", stretch.min_line);
    return fmt::format("{}–{}", stretch.min_line, stretch.max_line);
}

}  // namespace

float x_of_step(const Box& box, const StepRange& range, double step) {
    return box.x0 + box.width() * static_cast<float>((step - range.first) / range.size());
}

std::uint32_t stretch_at(const LaneTimeline& timeline, double step) {
    if (step < 0 || step >= static_cast<double>(timeline.steps)) return no_index;
    const auto after = std::upper_bound(timeline.stretches.begin(), timeline.stretches.end(), step,
                                        [](double value, const LaneStretch& stretch) {
                                            return value < static_cast<double>(stretch.first_step);
                                        });
    return static_cast<std::uint32_t>(after - timeline.stretches.begin()) - 1;
}

ImU32 colour_of_path(const Theme& theme, std::uint32_t path) {
    return theme.category(path == 0 ? 0 : static_cast<int>(1 + (path - 1) % path_colours));
}

ImU32 colour_of_predicated(const Theme& theme) {
    return mix(colour_of_path(theme, 0), theme.background, paler);
}

void draw_lane_thumbnail(const Ink& ink, const Box& box, const LaneTimeline& timeline) {
    if (timeline.steps == 0) return;
    draw_coverage(ink, box, timeline, {0, static_cast<double>(timeline.steps)}, 2);
}

void draw_lane_grid(const Ink& ink, const Box& box, const LaneTimeline& timeline, const StepRange& range,
                    int lane, std::uint32_t stretch) {
    note_axis("step", range.first, range.last, box.min(), box.max());
    for (int of = 0; of < warp_size && notes_boxes(); ++of) {
        const Box row = cells(box, box.x0, box.x1, of, 1, 0);
        hit_box(fmt::format("lanes lane {}", of), row.min(), row.max());
    }
    const double pixels_per_step = box.width() / range.size();
    const std::uint32_t first = stretch_at(timeline, std::max(range.first, 0.0));
    double shortest = range.size();
    std::size_t visible = 0;
    for (std::size_t i = first; i < timeline.stretches.size(); ++i) {
        const LaneStretch& part = timeline.stretches[i];
        if (static_cast<double>(part.first_step) >= range.last) break;
        shortest = std::min(shortest, static_cast<double>(part.steps));
        ++visible;
    }
    if (shortest * pixels_per_step < 2 || visible > 2000) {
        ink.hatch(box, with_alpha(ink.theme.inactive, 0.5));
        draw_coverage(ink, box, timeline, range, 1);
    } else {
        const float gap = box.height() / warp_size > 6 ? 1 : 0;
        for (std::size_t i = first; i < first + visible; ++i) {
            const LaneStretch& part = timeline.stretches[i];
            const float x0 = std::max(x_of_step(box, range, static_cast<double>(part.first_step)), box.x0);
            const float x1 =
                std::min(x_of_step(box, range, static_cast<double>(part.first_step + part.steps)), box.x1);
            const ImU32 colour = colour_of_path(ink.theme, part.path);
            for_each_run(~part.active, [&](int from, int count) {
                ink.hatch(cells(box, x0, x1, from, count, 0), with_alpha(ink.theme.inactive, 0.5));
            });
            for_each_run(part.active, [&](int from, int count) {
                for (int at = from; at < from + count; ++at) {
                    const Box cell = cells(box, x0, x1 - (x1 - x0 > 3 ? 1 : 0), at, 1, gap);
                    ink.fill(Box{cell.x0, cell.y0, cell.x1, gap > 0 ? cell.y1 : cell.y1 + 0.5f}, colour);
                }
            });
        }
        draw_predicated(ink, box, timeline, range);
    }
    if (stretch < timeline.stretches.size()) {
        const LaneStretch& part = timeline.stretches[stretch];
        const float x0 = std::max(x_of_step(box, range, static_cast<double>(part.first_step)), box.x0);
        const float x1 =
            std::min(x_of_step(box, range, static_cast<double>(part.first_step + part.steps)), box.x1);
        if (x1 > x0) ink.outline({x0, box.y0, std::max(x1, x0 + 2), box.y1}, ink.theme.selected, 1.5f);
    }
    if (lane >= 0) ink.outline(cells(box, box.x0, box.x1, lane, 1, 0), ink.theme.selected, 1);
}

void draw_lane_events(const Ink& ink, const Box& marks, const Box& grid, const LaneTimeline& timeline,
                      const StepRange& range) {
    float free_from = marks.x0;
    for (const LaneEvent& event : timeline.events) {
        const auto step = static_cast<double>(event.step);
        if (step < range.first || step > range.last) continue;
        // The branch itself is still a step of all its lanes: they diverge after it.
        const float x =
            std::min(x_of_step(grid, range, event.kind == LaneEvent::Kind::split ? step + 1 : step), grid.x1);
        const ImU32 colour = event_colour(ink.theme, event.kind);
        const std::string words = event_words(event);
        const float width = text_width(ink.theme.fonts.small, words);
        const bool room = x >= free_from && x + ink.px(4) + width <= marks.x1;
        if (room) {
            ink.line({x, marks.y0}, {x, grid.y1}, with_alpha(colour, 0.9));
            ink.text({x + ink.px(4), marks.y0, marks.x1, marks.y1}, words, ink.theme.fonts.small, colour);
            free_from = x + width + ink.px(14);
        } else {
            ink.line({x, marks.y1 - ink.px(5)}, {x, marks.y1}, with_alpha(colour, 0.7));
        }
    }
}

void draw_lane_lines(const Ink& ink, const Box& box, const LaneTimeline& timeline, const StepRange& range,
                     const Program& program) {
    const std::string* own_text = nullptr;
    for (const SourceFile& source : program.sources) {
        if (own_text == nullptr && !source.text.empty()) own_text = &source.text;
    }
    float free_from = box.x0;
    std::string previous;
    for (const LaneStretch& part : timeline.stretches) {
        const auto end = static_cast<double>(part.first_step + part.steps);
        if (end <= range.first) continue;
        if (static_cast<double>(part.first_step) >= range.last) break;
        const std::string words = lane_line_words(part);
        if (words.empty()) continue;
        const float x0 = std::max(x_of_step(box, range, static_cast<double>(part.first_step)), box.x0);
        const float x1 = std::min(x_of_step(box, range, end), box.x1);
        const float width = text_width(ink.theme.fonts.small, words) + ink.px(6);
        if (x0 < free_from || x0 + width > std::max(x1, free_from) + ink.px(24) || x0 + width > box.x1)
            continue;
        ink.line({x0, box.y0}, {x0, box.y0 + ink.px(5)}, ink.theme.text_dim);
        ink.text({x0 + ink.px(3), box.y0, box.x1, box.y1}, words, ink.theme.fonts.small,
                 words == previous ? ink.theme.text_dim : ink.theme.text);
        previous = words;
        free_from = x0 + width + ink.px(8);
    }
}

}  // namespace warplens::app
