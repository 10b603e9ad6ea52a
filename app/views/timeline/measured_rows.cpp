#include "app/views/timeline/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/ui/triangle.h"
#include "app/views/timeline/axis.h"

namespace warplens::app {

namespace {

constexpr float distinct_width = 1.5f;  // pixels: shorter stays are drawn as density
constexpr std::size_t most_rows_kept = 4096;

std::string site_words(const Site* site, std::uint32_t basic_block) {
    if (site && site->line != 0) return fmt::format("line {}", site->line);
    if (site && site->ptx_line != 0) return fmt::format("PTX line {}", site->ptx_line);
    return fmt::format("basic block {}", basic_block);
}

ImU32 density_colour(const Theme& theme, double share) {
    return mix(theme.background, theme.category(7), 0.15 + 0.7 * share);
}

}  // namespace

CycleScale scale_of(const MeasuredCanvas& canvas, std::uint32_t sm) {
    const double ns = static_cast<double>(canvas.plot.width()) / canvas.view.size();
    return {canvas.plot.x0 + (canvas.index.ns_of(sm, 0) - canvas.view.first) * ns,
            canvas.index.ns_per_cycle() * ns};
}

ImU32 block_colour(const Theme& theme, std::uint32_t shade) {
    return mix(theme.background, theme.category(static_cast<int>(shade % 7)),
               theme.name == ThemeName::dark ? 0.78 : 0.85);
}

ImU32 wait_colour(const Theme& theme, ImU32 block) { return mix(theme.background, block, 0.35); }

ImU32 resident_colour(const Theme& theme, double share) {
    return share <= 0 ? theme.raised : theme.amount(0.1 + 0.8 * share);
}

void MeasuredRuns::update(const MeasuredCanvas& canvas) {
    visits_left_ = visits_a_frame;
    if (index_ == &canvas.index && view_ == canvas.view && x0_ == canvas.plot.x0 && x1_ == canvas.plot.x1 &&
        rows_.size() < most_rows_kept)
        return;
    index_ = &canvas.index;
    view_ = canvas.view;
    x0_ = canvas.plot.x0;
    x1_ = canvas.plot.x1;
    rows_.clear();
    resident_.clear();
}

const std::vector<MeasuredRuns::Run>& MeasuredRuns::runs_of(const MeasuredCanvas& canvas, std::size_t row) {
    const auto [kept, fresh] = rows_.try_emplace(row);
    std::vector<Run>& runs = kept->second;
    if (!fresh) return runs;
    const std::uint32_t sm = canvas.index.rows()[row].sm;
    const CycleScale scale = scale_of(canvas, sm);
    const auto stays = canvas.index.stays(row);
    const double first = canvas.index.cycle_of(sm, canvas.view.first);
    const double last = canvas.index.cycle_of(sm, canvas.view.last);
    auto at = std::ranges::lower_bound(stays, first, {}, [](const auto& stay) { return double(stay.end); });
    float column = -1, taken = 0;  // the pixel being filled with short stays
    const auto flush = [&] {
        if (column < 0) return;
        const auto share = static_cast<std::uint8_t>(std::clamp(taken, 0.06f, 1.0f) * 15) * 17;
        if (!runs.empty() && runs.back().warp == no_index && runs.back().x1 == column &&
            runs.back().share == share)
            runs.back().x1 = column + 1;
        else runs.push_back({column, column + 1, no_index, static_cast<std::uint8_t>(share)});
        column = -1;
        taken = 0;
    };
    for (; at != stays.end() && at->begin < last; ++at) {
        const float x0 = std::max(scale.x(at->begin), canvas.plot.x0 - 4);
        const float x1 = std::min(scale.x(at->end), canvas.plot.x1 + 4);
        if (x1 - x0 >= distinct_width) {
            flush();
            runs.push_back({x0, x1, at->warp, 255});
            continue;
        }
        const float pixel = std::floor(x0);
        if (pixel != column) {
            flush();
            column = pixel;
        }
        taken += std::max(x1 - x0, 0.0f);
    }
    flush();
    return runs;
}

void MeasuredRuns::draw(const MeasuredCanvas& canvas) {
    const Theme& theme = canvas.frame.theme;
    ImDrawList& list = *canvas.ink.list;
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) continue;
        const float gap = line.y1 - line.y0 < 5 ? 0 : 1;
        for (const Run& run : runs_of(canvas, line.row)) {
            if (run.warp == no_index) {
                list.AddRectFilled({run.x0, line.y0}, {run.x1, line.y1 - gap},
                                   density_colour(theme, run.share / 255.0));
                continue;
            }
            const float end = run.x1 - run.x0 > 6 ? run.x1 - 1 : run.x1;
            const ImU32 fill = block_colour(theme, canvas.index.shade_of_warp(run.warp));
            list.AddRectFilled({run.x0, line.y0}, {end, line.y1 - gap}, fill);
            if (run.x1 - run.x0 >= canvas.ink.px(12) && line.y1 - line.y0 >= 3)
                draw_warp_visits(canvas, canvas.index, run.warp, {run.x0, line.y0, end, line.y1 - gap}, fill,
                                 scale_of(canvas, line.group), visits_left_);
        }
    }
}

void draw_warp_visits(const TimelinePlot& plot, const MeasuredIndex& index, std::uint32_t warp,
                      const Box& bar, ImU32 fill, const CycleScale& scale, std::size_t& allowance) {
    const Theme& theme = plot.frame.theme;
    const Ink& ink = plot.ink;
    ImDrawList& list = *ink.list;
    const auto visits = index.visits(warp);
    const std::uint32_t before = index.visit_at(warp, scale.cycle(plot.plot.x0));
    const std::uint32_t behind = index.visit_at(warp, scale.cycle(plot.plot.x1));
    const std::size_t first = before == no_index ? 0 : before;
    const std::size_t last =
        behind == no_index ? 0 : std::min<std::size_t>(behind + std::size_t{2}, visits.size());
    if (last <= first || last - first > allowance) return;
    allowance -= last - first;
    const bool ticks = bar.width() >= ink.px(4) * static_cast<float>(last - first);
    const ImU32 wait = wait_colour(theme, fill);
    const ImU32 tick = with_alpha(theme.background, 0.75), words = theme.text_on(fill);
    for (std::size_t v = first; v < last; ++v) {
        const trace::MeasuredVisit& visit = visits[v];
        if (visit.entered == trace::no_time) continue;
        const float x = scale.x(visit.entered);
        if (visit.arrived != trace::no_time) {
            const Box box{std::max(scale.x(visit.arrived), plot.plot.x0 - 2), bar.y0,
                          std::min(x, plot.plot.x1 + 2), bar.y1};
            if (box.width() >= 1) {
                list.AddRectFilled(box.min(), box.max(), wait);
                if (box.width() > 4 && box.height() > 4) ink.hatch(box, fill, 4);
            }
        }
        if (x > plot.plot.x1) break;
        if (ticks && v > 0 && x >= plot.plot.x0)
            list.AddRectFilled({x - ink.px(1), bar.y0}, {x + ink.px(0.5f), bar.y1}, tick);
        if (!ticks || bar.height() < ink.px(11)) continue;
        const float end = std::min(scale.x(index.left(warp, static_cast<std::uint32_t>(v))), plot.plot.x1);
        const float start = std::max(x, plot.plot.x0);
        if (end - start < ink.px(36)) continue;
        ink.text_if_fits({start + ink.px(4), bar.y0, end - ink.px(3), bar.y1},
                         site_words(index.first_site(visit.basic_block), visit.basic_block),
                         theme.fonts.small, words, Align::left);
    }
}

const std::vector<MeasuredRuns::Level>& MeasuredRuns::resident_of(const MeasuredCanvas& canvas,
                                                                  std::uint32_t sm) {
    const auto [kept, fresh] = resident_.try_emplace(sm);
    std::vector<Level>& runs = kept->second;
    if (!fresh) return runs;
    columns_.resize(static_cast<std::size_t>(std::max(1.0f, std::floor(canvas.plot.width()))));
    const auto columns = static_cast<double>(columns_.size());
    canvas.index.resident(
        sm, canvas.view.first,
        canvas.view.first + canvas.view.size() * columns / static_cast<double>(canvas.plot.width()),
        columns_);
    const float full =
        static_cast<float>(levels - 1) / static_cast<float>(std::max(canvas.index.most_resident(), 1u));
    for (std::size_t x = 0; x < columns_.size(); ++x) {
        const float share = std::min(columns_[x] * full, static_cast<float>(levels - 1));
        const auto level = static_cast<std::uint8_t>(share < 0.05f ? 0 : 1 + static_cast<int>(share + 0.5f));
        if (level == 0) continue;
        const float x0 = canvas.plot.x0 + static_cast<float>(x);
        if (!runs.empty() && runs.back().level == level && runs.back().x1 == x0) runs.back().x1 = x0 + 1;
        else runs.push_back({x0, x0 + 1, level});
    }
    return runs;
}

void MeasuredRuns::draw_resident_warps(const MeasuredCanvas& canvas) {
    const Theme& theme = canvas.frame.theme;
    std::array<ImU32, levels + 1> colours{};
    for (int level = 1; level <= levels; ++level)
        colours[static_cast<std::size_t>(level)] =
            resident_colour(theme, std::max(0.01, static_cast<double>(level - 1) / (levels - 1)));
    ImDrawList& list = *canvas.ink.list;
    for (const TimelineLine& line : canvas.lines) {
        if (!line.head) continue;
        list.AddRectFilled({canvas.plot.x0, line.y0}, {canvas.plot.x1, line.y1}, theme.raised);
        for (const Level& run : resident_of(canvas, line.group))
            list.AddRectFilled({run.x0, line.y0}, {run.x1, line.y1}, colours[run.level]);
    }
}

void draw_measured_names(const MeasuredCanvas& canvas, std::span<const TimelineGroup> groups,
                         std::uint32_t chosen) {
    const Theme& theme = canvas.frame.theme;
    const MeasuredIndex& index = canvas.index;
    GutterNames names(canvas);
    const auto only_warp = [&](std::size_t row) {  // that is seen in the row; no_index when there are more
        const std::uint32_t sm = index.rows()[row].sm;
        const auto stays = index.stays(row);
        const double first = index.cycle_of(sm, canvas.view.first),
                     last = index.cycle_of(sm, canvas.view.last);
        const auto at =
            std::ranges::upper_bound(stays, first, {}, [](const auto& stay) { return double(stay.end); });
        if (at == stays.end() || at->begin >= last) return no_index;
        return at + 1 != stays.end() && (at + 1)->begin < last ? no_index : at->warp;
    };
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) {
            const bool folded = line.group < groups.size() && groups[line.group].rows == 0;
            const std::string name = fmt::format("SM {}", index.sms()[line.group].sm);
            hit_box("timeline " + name, {canvas.gutter.x0, line.y0}, {canvas.gutter.x1, line.y1});
            if (!names.name(line, name, folded ? theme.text_dim : theme.text) || !canvas.frame.interactive)
                continue;
            const float end = canvas.gutter.x1 - canvas.ink.px(8) - text_width(theme.fonts.small, name);
            draw_triangle(*canvas.ink.list, theme, {end - canvas.ink.px(14), line.y0}, {end, line.y1},
                          folded ? ImGuiDir_Right : ImGuiDir_Down, theme.text_dim, 4);
            continue;
        }
        const MeasuredIndex::Row& row = index.rows()[line.row];
        const auto every = static_cast<unsigned>(std::ceil(name_height(theme) / (line.y1 - line.y0)));
        if (row.slot % std::max(every, 1u) != 0) continue;
        const std::uint32_t warp = only_warp(line.row);
        const bool has_chosen = chosen != no_index && index.row_of_warp(chosen) == line.row;
        names.name(line, warp == no_index ? fmt::format("slot {}", row.slot) : index.warp_words(warp),
                   has_chosen ? theme.text : theme.text_dim);
    }
}

void draw_measured_selection(const MeasuredCanvas& canvas, std::uint32_t chosen, std::uint32_t visit,
                             std::uint32_t hovered) {
    const Theme& theme = canvas.frame.theme;
    const MeasuredIndex& index = canvas.index;
    const auto& warps = index.measured().warps;
    const auto box_of = [&](std::uint32_t warp, double begin, double end, Box& box) {
        const TimelineLine* line = canvas.line_of_row(index.row_of_warp(warp));
        if (!line) return false;
        const CycleScale scale = scale_of(canvas, index.sm_of_warp(warp));
        box = {std::max(scale.x(begin), canvas.plot.x0 - 2), line->y0,
               std::min(scale.x(end), canvas.plot.x1 + 2), line->y1};
        return box.width() > 0;
    };
    const auto mark_block = [&](std::uint32_t of, double alpha) {
        std::uint32_t first = of, last = of + 1;
        while (first > 0 && warps[first - 1].block == warps[of].block) --first;
        while (last < warps.size() && warps[last].block == warps[of].block) ++last;
        Box box;
        for (std::uint32_t warp = first; warp < last; ++warp)
            if (warp != of && box_of(warp, warps[warp].begin, warps[warp].end, box))
                for (const float x : {box.x0, box.x1 - canvas.ink.px(2)})
                    canvas.ink.fill({x, box.y0, x + canvas.ink.px(2), box.y1},
                                    with_alpha(theme.selected, alpha));
    };
    Box box;
    if (hovered < warps.size() && hovered != chosen) {
        mark_block(hovered, 0.5);
        if (box_of(hovered, warps[hovered].begin, warps[hovered].end, box))
            canvas.ink.fill(box, theme.hovered);
    }
    if (chosen >= warps.size()) return;
    mark_block(chosen, 0.9);
    if (box_of(chosen, warps[chosen].begin, warps[chosen].end, box))
        canvas.ink.outline({box.x0, box.y0 - canvas.ink.px(1), box.x1, box.y1 + canvas.ink.px(1)},
                           theme.selected, canvas.ink.px(1.5f));
    const auto visits = index.visits(chosen);
    if (visit >= visits.size() || visits[visit].entered == trace::no_time) return;
    if (!box_of(chosen, visits[visit].entered, index.left(chosen, visit), box)) return;
    const float grow = canvas.ink.px(2);
    canvas.ink.outline(
        {box.x0 - grow, box.y0 - grow, std::max(box.x1, box.x0 + canvas.ink.px(2)) + grow, box.y1 + grow},
        theme.selected, canvas.ink.px(2), canvas.ink.px(2));
}

void draw_timer_bound(const MeasuredCanvas& canvas, const Box& strip) {
    const Theme& theme = canvas.frame.theme;
    const Ink& ink = canvas.ink;
    const std::string bound = decimal(canvas.index.measured().timer_bound_ns, 1) + " ns";
    const std::uint16_t own = canvas.index.sms()[canvas.own_sm].sm;
    ink.text({canvas.gutter.x0, strip.y0, canvas.gutter.x1 - ink.px(6), strip.y1}, "clocks",
             theme.fonts.small, theme.text_dim, Align::right);
    if (canvas.index.sms().size() < 2) {
        ink.text(strip,
                 fmt::format("one SM: its own cycles, at {}", scaled(canvas.index.measured().clock_hz, "Hz")),
                 theme.fonts.small, theme.text_dim);
        return;
    }
    const float width = std::min(std::max(canvas.timer_bound() * 2, ink.px(2)), strip.width() / 3);
    const float y = std::round((strip.y0 + strip.y1) / 2);
    ink.line({strip.x0, y}, {strip.x0 + width, y}, theme.text, ink.px(1));
    for (const float x : {strip.x0, strip.x0 + width})
        ink.line({x, y - ink.px(4)}, {x, y + ink.px(4)}, theme.text, ink.px(1));
    const Box words{strip.x0 + width + ink.px(8), strip.y0, strip.x1, strip.y1};
    if (!canvas.finer_than_the_timer()) {
        ink.text(words,
                 fmt::format("± {} between SMs, limited by the timer; exact cycles within one SM", bound),
                 theme.fonts.small, theme.text_dim);
        return;
    }
    ink.text(words,
             fmt::format("below the timer's resolution between SMs: exact for SM {}, others (hatched) ± {}",
                         own, bound),
             theme.fonts.small, theme.text_dim);
}

void draw_others_veil(const MeasuredCanvas& canvas) {
    if (!canvas.finer_than_the_timer() || canvas.index.sms().size() < 2) return;
    const Theme& theme = canvas.frame.theme;
    for (const TimelineLine& line : canvas.lines) {
        if (line.group == canvas.own_sm) continue;
        const Box box{canvas.plot.x0, line.y0, canvas.plot.x1, line.y1};
        canvas.ink.fill(box, with_alpha(theme.background, 0.35));
        if (line.y1 - line.y0 >= 2) canvas.ink.hatch(box, with_alpha(theme.text_dim, 0.55), 7);
    }
}

}  // namespace warplens::app
