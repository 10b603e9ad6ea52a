#include "app/views/timeline/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

namespace {

void triangle(const TimelineCanvas& canvas, float x, float tip, float base, ImU32 colour) {
    const float half = canvas.ink.px(3.5f);
    canvas.ink.list->AddTriangleFilled({x - half, base}, {x + half, base}, {x, tip}, colour);
}

}  // namespace

void SiteIssues::follow(const TimelineIndex& index, const Spot& chosen) {
    const SiteId site = index.site(chosen.site) ? chosen.site : no_index;
    const std::uint32_t line = site == no_index ? chosen.source_line : 0;
    if (site == site_ && line == line_ && cycles_.size() == index.sums().rows().size()) return;
    site_ = site;
    line_ = line;
    cycles_.assign(index.sums().rows().size(), {});
    if (site == no_index && line == 0) return;
    std::vector<bool> wanted(index.trace().program.sites.size(), false);
    for (SiteId id = 0; id < wanted.size(); ++id)
        wanted[id] = site != no_index ? id == site : index.site(id)->line == line;
    for (std::size_t row = 0; row < cycles_.size(); ++row)
        index.sums().for_each_span(
            row, {}, [&](std::uint32_t, const trace::StateSpan& span, std::uint32_t begin, std::uint32_t) {
                if (span.state() == WarpState::selected && span.site() < wanted.size() && wanted[span.site()])
                    cycles_[row].push_back(begin);
            });
}

void SiteIssues::draw(const TimelineCanvas& canvas) const {
    const auto range = canvas.cycles();
    const ImU32 colour = canvas.frame.theme.selected;
    const float width = canvas.ink.px(1);
    for (const TimelineLine& line : canvas.lines) {
        if (line.head || line.row >= cycles_.size()) continue;
        const auto& cycles = cycles_[line.row];
        const float height = line.y1 - line.y0, mark = std::min(canvas.ink.px(4), height);
        auto at = std::ranges::lower_bound(cycles, range.begin);
        while (at != cycles.end() && *at < range.end) {
            const float x = std::floor(canvas.x_of(*at + 0.5));
            if (x >= canvas.plot.x0 && x < canvas.plot.x1)
                canvas.ink.list->AddRectFilled({x - width, line.y1 - mark}, {x + width, line.y1}, colour);
            // The next one that can be distinguished from this one.
            const double next = canvas.cycle_at(x + 4 * width);
            at = std::lower_bound(at + 1, cycles.end(), static_cast<std::uint32_t>(std::max(next, 0.0)));
        }
    }
}

void draw_blocks(const TimelineCanvas& canvas, const Box& strip) {
    const Theme& theme = canvas.frame.theme;
    canvas.ink.text({canvas.gutter.x0, strip.y0, canvas.gutter.x1 - canvas.ink.px(6), strip.y1}, "blocks",
                    theme.fonts.small, theme.text_dim, Align::right);
    struct Tick {
        float x;
        const trace::ScheduledBlock* arrives;  // nullptr: it leaves
    };
    std::vector<Tick> ticks;
    for (const trace::ScheduledBlock& block : canvas.index.schedule().blocks) {
        ticks.push_back({canvas.x_of(block.arrival), &block});
        ticks.push_back({canvas.x_of(block.departure), nullptr});
    }
    std::erase_if(ticks, [&](const Tick& tick) { return tick.x < strip.x0 - 1 || tick.x > strip.x1 + 1; });
    std::ranges::stable_sort(ticks, {}, &Tick::x);
    const float least = canvas.ink.px(3), size = canvas.ink.px(6);
    float arrived = -1e9f, left = -1e9f;  // where such a tick was drawn last
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const float x = ticks[i].x;
        float& before = ticks[i].arrives ? arrived : left;
        if (x < before + least) continue;
        before = x;
        if (!ticks[i].arrives) {
            triangle(canvas, x, strip.y0, strip.y0 + size, theme.text_dim);
            continue;
        }
        triangle(canvas, x, strip.y1, strip.y1 - size, theme.ideal);
        const std::string name = grouped(ticks[i].arrives->block);
        const float end = x + size + text_width(theme.fonts.small, name);
        const bool free = i + 1 == ticks.size() || ticks[i + 1].x > end + size;
        if (free && end < strip.x1)
            canvas.ink.text({x + size, strip.y0, strip.x1, strip.y1}, name, theme.fonts.small,
                            theme.text_dim);
    }
}

void draw_barriers(const TimelineCanvas& canvas) {
    const trace::Schedule& schedule = canvas.index.schedule();
    const auto range = canvas.cycles();
    const auto first =
        std::ranges::lower_bound(schedule.barriers, range.begin, {}, &trace::BarrierRelease::cycle);
    const auto last =
        std::ranges::upper_bound(schedule.barriers, range.end, {}, &trace::BarrierRelease::cycle);
    const auto count = static_cast<std::size_t>(last - first);
    // Closer together than this they would hide what they cross.
    if (count == 0 || static_cast<float>(count) * canvas.ink.px(20) > canvas.plot.width()) return;
    const ImU32 colour = canvas.frame.theme.text;
    for (auto release = first; release != last; ++release) {
        const float x = std::round(canvas.x_of(release->cycle));
        if (x < canvas.plot.x0 || x > canvas.plot.x1) continue;
        const trace::ScheduledBlock& block = schedule.blocks[release->block];
        float top = 1e9f, bottom = -1e9f;
        for (std::uint32_t w = block.first_warp; w < block.first_warp + block.warp_count; ++w) {
            const TimelineLine* line = canvas.line_of_row(canvas.index.row_of_warp(w));
            if (!line) continue;
            canvas.ink.list->AddRectFilled({x - canvas.ink.px(1), line->y0},
                                           {x + canvas.ink.px(0.5f), line->y1}, colour);
            top = std::min(top, line->y0);
            bottom = std::max(bottom, line->y1);
        }
        if (top < bottom) canvas.ink.line({x, top}, {x, bottom}, with_alpha(colour, 0.35));
    }
}

void draw_selection(const TimelineCanvas& canvas, const TimelinePoint& chosen, const TimelinePoint& hovered) {
    const Theme& theme = canvas.frame.theme;
    const auto box_of = [&](std::uint32_t warp, std::uint32_t begin, std::uint32_t end, Box& box) {
        const TimelineLine* line = canvas.line_of_row(canvas.index.row_of_warp(warp));
        if (!line) return false;
        box = {std::max(canvas.x_of(begin), canvas.plot.x0 - 2), line->y0,
               std::min(canvas.x_of(end), canvas.plot.x1 + 2), line->y1};
        return box.width() > 0;
    };
    const trace::Schedule& schedule = canvas.index.schedule();
    Box box;
    if (hovered.warp != no_index && hovered.warp != chosen.warp) {
        const trace::ScheduledWarp& warp = schedule.warps[hovered.warp];
        if (box_of(hovered.warp, warp.arrival, warp.departure, box)) canvas.ink.fill(box, theme.hovered);
    }
    if (chosen.warp == no_index) return;
    const trace::ScheduledWarp& warp = schedule.warps[chosen.warp];
    if (box_of(chosen.warp, warp.arrival, warp.departure, box)) {
        const Box around{box.x0, box.y0 - canvas.ink.px(1), box.x1, box.y1 + canvas.ink.px(1)};
        canvas.ink.outline(around, with_alpha(theme.selected, 0.75), canvas.ink.px(1));
    }
    const trace::StateSpan* span = trace::span_at(schedule, warp, chosen.cycle);
    if (!span || !box_of(chosen.warp, span->begin, trace::end_of(schedule, warp, *span), box)) return;
    const float grow = canvas.ink.px(2);
    canvas.ink.outline(
        {box.x0 - grow, box.y0 - grow, std::max(box.x1, box.x0 + canvas.ink.px(2)) + grow, box.y1 + grow},
        theme.selected, canvas.ink.px(2), canvas.ink.px(2));
}

std::string_view to_words(trace::ServedBy by) {
    constexpr std::string_view words[] = {"shared memory", "L1", "L2", "DRAM", "constant cache"};
    return words[std::min(static_cast<std::size_t>(by), std::size(words) - 1)];
}

const trace::Flight* flight_at(const TimelineIndex& index, const TimelinePoint& point) {
    if (point.warp >= index.schedule().warps.size()) return nullptr;
    const trace::StateSpan* span =
        trace::span_at(index.schedule(), index.schedule().warps[point.warp], point.cycle);
    if (!span) return nullptr;
    if (span->state() == WarpState::selected) return index.flight_of(point.warp, span->step);
    return span->cause == no_index ? nullptr : index.flight_of(point.warp, span->cause);
}

namespace {

/// A request as it is drawn: from its issue to its return, bowed away from the nearer edge of the plot.
struct FlightArc {
    float x0 = 0, x1 = 0, y = 0, height = 0;
    bool up = false;
    std::string words;  // of the label; empty: none
    Box label;
};

void place_flight_label(const TimelineCanvas& canvas, const trace::Flight& flight, FlightArc& arc) {
    arc.words =
        fmt::format("{} · {} cycles", to_words(flight.served_by()), grouped(flight.returned - flight.issued));
    const ImVec2 size = text_size(canvas.frame.theme.fonts.small, arc.words);
    const float pad = canvas.ink.px(4);
    const float middle = (std::max(arc.x0, canvas.plot.x0) + std::min(arc.x1, canvas.plot.x1)) / 2;
    const float left = std::clamp(middle - size.x / 2, canvas.plot.x0 + pad,
                                  std::max(canvas.plot.x0 + pad, canvas.plot.x1 - size.x - pad));
    const float top = (arc.up ? arc.y - arc.height : arc.y + arc.height) - size.y / 2;
    arc.label = {left - pad, top - 1, left + size.x + pad, top + size.y + 2};
}

std::optional<FlightArc> flight_arc(const TimelineCanvas& canvas, const TimelinePoint& point,
                                    ArcWords labelled) {
    const trace::Flight* flight = flight_at(canvas.index, point);
    if (!flight) return std::nullopt;
    const TimelineLine* line = canvas.line_of_row(canvas.index.row_of_warp(point.warp));
    if (!line) return std::nullopt;
    FlightArc arc;
    arc.x0 = canvas.x_of(flight->issued + 0.5);
    arc.x1 = canvas.x_of(flight->returned);
    if (arc.x1 < canvas.plot.x0 || arc.x0 > canvas.plot.x1) return std::nullopt;
    const float length = arc.x1 - arc.x0;
    if (labelled == ArcWords::if_long && length < canvas.ink.px(12)) return std::nullopt;  // a blot
    arc.y = (line->y0 + line->y1) / 2;
    arc.up = arc.y - canvas.plot.y0 > canvas.plot.y1 - arc.y;
    const float room = (arc.up ? arc.y - canvas.plot.y0 : canvas.plot.y1 - arc.y) * 0.8f;
    arc.height = std::min({canvas.ink.px(44), room, canvas.ink.px(10) + length * 0.2f});
    if (labelled == ArcWords::always || length >= canvas.ink.px(48)) place_flight_label(canvas, *flight, arc);
    return arc;
}

}  // namespace

Box flight_label(const TimelineCanvas& canvas, const TimelinePoint& point, ArcWords labelled) {
    const auto arc = flight_arc(canvas, point, labelled);
    return arc ? arc->label : Box{};
}

void draw_flight(const TimelineCanvas& canvas, const TimelinePoint& point, ArcWords labelled) {
    const auto arc = flight_arc(canvas, point, labelled);
    if (!arc) return;
    const Theme& theme = canvas.frame.theme;
    const ImVec2 from{arc->x0, arc->y}, to{arc->x1, arc->y};
    const float bow = arc->y + (arc->up ? -arc->height : arc->height) * 4 / 3;
    const ImU32 colour = theme.text;
    const float thickness = canvas.ink.px(labelled == ArcWords::always ? 2 : 1.5f);
    canvas.ink.list->AddBezierCubic(from, {from.x, bow}, {to.x, bow}, to, with_alpha(theme.background, 0.8),
                                    thickness + canvas.ink.px(2));
    canvas.ink.list->AddBezierCubic(from, {from.x, bow}, {to.x, bow}, to, colour, thickness);
    canvas.ink.list->AddCircleFilled(from, canvas.ink.px(3), colour);
    triangle(canvas, to.x, to.y, to.y + (arc->up ? -1.0f : 1.0f) * canvas.ink.px(7), colour);
    if (arc->words.empty()) return;
    canvas.ink.fill(arc->label, with_alpha(theme.panel, 0.92), canvas.ink.px(3));
    draw_text(*canvas.ink.list, theme.fonts.small, {arc->label.x0 + canvas.ink.px(4), arc->label.y0 + 1},
              theme.text, arc->words);
}

void draw_play_head(const TimelineCanvas& canvas, const Box& axis, std::uint32_t cycle) {
    const Theme& theme = canvas.frame.theme;
    const float x = std::round(canvas.x_of(cycle)), end = canvas.x_of(cycle + 1.0);
    if (end < canvas.plot.x0 || x > canvas.plot.x1) return;
    const ImU32 colour = theme.text;
    if (end - x > canvas.ink.px(3))  // the entire cycle
        canvas.ink.fill({x, canvas.plot.y0, end, canvas.plot.y1}, with_alpha(colour, 0.10));
    canvas.ink.line({x, axis.y0}, {x, canvas.plot.y1}, colour, canvas.ink.px(1.5f));
    const std::string words = grouped(cycle);
    const float width = text_width(theme.fonts.small, words) + canvas.ink.px(10);
    const float left =
        std::clamp(x - width / 2, canvas.plot.x0, std::max(canvas.plot.x0, canvas.plot.x1 - width));
    const Box flag{left, axis.y0, left + width, axis.y1 - canvas.ink.px(1)};
    canvas.ink.fill(flag, colour, canvas.ink.px(3));
    canvas.ink.text(flag, words, theme.fonts.small, theme.background, Align::centre);
}

}  // namespace warplens::app
