#include "app/views/timeline/both_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/timeline/axis.h"
#include "app/views/timeline/state_light.h"

namespace warplens::app {

namespace {

/// "+12 %": the model compared with the GPU.
std::string off_words(double modelled, double measured) {
    if (measured <= 0) return "";
    const double off = modelled / measured - 1;
    if (std::abs(off) < 0.005) return "±0 %";
    return (off > 0 ? "+" : "−") + percent(std::abs(off), 0);
}

std::string place(const PairedIndex& pairs, std::uint32_t basic_block) {
    const Site* site = pairs.measured().first_site(basic_block);
    if (site && site->line != 0) return fmt::format("line {}", site->line);
    return site ? fmt::format("PTX line {}", site->ptx_line) : fmt::format("basic block {}", basic_block);
}

std::uint64_t middle(std::vector<std::uint32_t> lengths) {
    const auto half = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, half);
    return *half;
}

struct Lengths {
    std::uint64_t measured = 0, modelled = 0;
};
Lengths median_block(const PairedIndex& pairs) {
    std::vector<std::uint32_t> measured, modelled;
    for (const PairedIndex::Block& block : pairs.blocks()) {
        measured.push_back(block.measured_cycles);
        modelled.push_back(block.modelled_cycles);
    }
    return {middle(std::move(measured)), middle(std::move(modelled))};
}

/// The two halves of a pair, with room between them for the joining lines if rows are high.
struct Halves {
    Box measured, modelled;
};
Halves halves_of(const PairedCanvas& canvas, const TimelineLine& measured) {
    const float height = measured.y1 - measured.y0;
    const float between = height >= canvas.ink.px(8) ? std::round(height * 0.22f) : 0;
    const float gap = height >= 5 ? std::max(1.0f, std::round(height * 0.1f)) : 0;
    return {{canvas.plot.x0, measured.y0, canvas.plot.x1, measured.y1 - between},
            {canvas.plot.x0, measured.y1 + between, canvas.plot.x1, measured.y1 + height - gap}};
}

}  // namespace

ImU32 measured_colour(const Theme& theme) {
    return mix(theme.background, theme.category(4), theme.name == ThemeName::dark ? 0.78 : 0.85);
}

void PairedRows::update(const PairedCanvas& canvas) {
    if (index_ == &canvas.pairs && view_ == canvas.view && x0_ == canvas.plot.x0 && x1_ == canvas.plot.x1 &&
        theme_ == canvas.frame.theme.name)
        return;
    index_ = &canvas.pairs;
    view_ = canvas.view;
    x0_ = canvas.plot.x0;
    x1_ = canvas.plot.x1;
    theme_ = canvas.frame.theme.name;
    states_.clear();
}

const std::vector<PairedRows::Run>& PairedRows::states_of(const PairedCanvas& canvas, std::size_t pair) {
    const auto [kept, fresh] = states_.try_emplace(pair);
    std::vector<Run>& runs = kept->second;
    if (!fresh) return runs;
    const Theme& theme = canvas.frame.theme;
    const trace::Schedule& schedule = canvas.pairs.schedule();
    const trace::ScheduledWarp& warp = schedule.warps[canvas.pairs.pairs()[pair].scheduled];
    const CycleScale scale = canvas.modelled_scale(pair);
    const StateLight light(theme);
    const auto spans = trace::spans_of(schedule, warp);
    const double first = scale.cycle(canvas.plot.x0), last = scale.cycle(canvas.plot.x1);
    auto at =
        std::ranges::upper_bound(spans, first, {}, [](const trace::StateSpan& s) { return double(s.begin); });
    if (at != spans.begin()) --at;
    float column = -1;
    StateLight::Mixture mixture = light.background();
    const auto flush = [&] {
        if (column >= 0) runs.push_back({column, column + 1, StateLight::colour(mixture), false});
        column = -1;
        mixture = light.background();
    };
    for (; at != spans.end() && at->begin < last; ++at) {
        float x0 = std::max(scale.x(at->begin), canvas.plot.x0);
        const float x1 = std::min(scale.x(trace::end_of(schedule, warp, *at)), canvas.plot.x1);
        if (x1 <= x0) continue;
        if (x1 - x0 >= 1.5f) {
            flush();
            runs.push_back({x0, x1, theme.state(at->state()), is_hatched(at->state())});
            continue;
        }
        while (x0 < x1) {
            const float pixel = std::floor(x0), end = std::min(x1, pixel + 1);
            if (pixel != column) flush();
            column = pixel;
            light.add(mixture, at->state(), end - x0);
            x0 = end;
        }
    }
    flush();
    return runs;
}

void PairedRows::draw(const PairedCanvas& canvas) {
    const Theme& theme = canvas.frame.theme;
    const Ink& ink = canvas.ink;
    const PairedIndex& pairs = canvas.pairs;
    std::size_t allowance = visits_a_frame;
    for (const TimelineLine& line : canvas.lines) {
        if (line.head) {  // the block's length in both
            const PairedIndex::Block& block = pairs.blocks()[line.group];
            const CycleScale scale = canvas.scale(0);
            const float half = (line.y0 + line.y1) / 2;
            const ImU32 colour = measured_colour(theme);
            const float measured = scale.x(block.measured_cycles), modelled = scale.x(block.modelled_cycles);
            ink.fill(
                {std::max(scale.x(0), canvas.plot.x0), line.y0 + 1, std::min(measured, canvas.plot.x1), half},
                colour);
            ink.fill(
                {std::max(scale.x(0), canvas.plot.x0), half, std::min(modelled, canvas.plot.x1), line.y1 - 1},
                with_alpha(theme.text_dim, 0.75));
            const float end = std::max(measured, modelled) + ink.px(6);
            ink.text_if_fits(
                {end, line.y0, canvas.plot.x1, line.y1},
                fmt::format("modelled {}", off_words(block.modelled_cycles, block.measured_cycles)),
                theme.fonts.small, theme.text_dim, Align::left);
            continue;
        }
        if (line.row % 2 != 0) continue;
        const std::size_t pair = line.row / 2;
        const PairedIndex::Pair& of = pairs.pairs()[pair];
        const Halves halves = halves_of(canvas, line);
        const CycleScale measured = canvas.measured_scale(pair), modelled = canvas.modelled_scale(pair);
        const trace::MeasuredWarp& clocks = pairs.measured().measured().warps[of.measured];
        const Box bar{std::max(measured.x(clocks.begin), canvas.plot.x0 - 2), halves.measured.y0,
                      std::min(measured.x(clocks.end), canvas.plot.x1 + 2), halves.measured.y1};
        ink.fill(bar, measured_colour(theme));
        if (bar.width() > 0 && bar.height() >= 3)
            draw_warp_visits(canvas, pairs.measured(), of.measured, bar, measured_colour(theme), measured,
                             allowance);
        for (const Run& run : states_of(canvas, pair)) {
            const Box box{run.x0, halves.modelled.y0, run.x1, halves.modelled.y1};
            ink.fill(box, run.colour);
            if (run.hatched && box.width() > 3 && box.height() > 3)
                ink.hatch(box, hatch_on(theme, run.colour), 4);
        }
        // Where both entered the same basic block.
        if (halves.modelled.y0 - halves.measured.y1 < ink.px(2)) continue;
        const auto& entered = pairs.entered(pair);
        const auto visits = pairs.measured().visits(of.measured);
        if (entered.size() > allowance ||
            static_cast<float>(entered.size()) * ink.px(5) > std::max(bar.width(), ink.px(1)))
            continue;
        allowance -= entered.size();
        for (std::size_t v = 1; v < entered.size(); ++v) {
            if (visits[v].entered == trace::no_time || entered[v] == trace::no_time) continue;
            const float above = measured.x(visits[v].entered), below = modelled.x(entered[v]);
            ink.line({above, halves.measured.y1}, {below, halves.modelled.y0},
                     with_alpha(theme.text_dim, 0.6), ink.px(1));
            ink.line({below, halves.modelled.y0}, {below, halves.modelled.y1},
                     with_alpha(theme.background, 0.8), ink.px(1));
        }
    }
}

void draw_paired_names(const PairedCanvas& canvas, std::uint32_t chosen) {
    const Theme& theme = canvas.frame.theme;
    GutterNames names(canvas);
    const bool both =
        !canvas.lines.empty() && canvas.lines.back().y1 - canvas.lines.back().y0 >= canvas.ink.px(11);
    for (const TimelineLine& line : canvas.lines) {
        const std::size_t pair = line.row / 2;
        const ImU32 colour = chosen != no_index && chosen == pair ? theme.text : theme.text_dim;
        if (line.head) {
            names.name(line, fmt::format("block {}", grouped(canvas.pairs.blocks()[line.group].block)),
                       theme.text);
        } else if (line.row % 2 != 0) {
            if (both) names.name(line, "modelled", colour);
        } else {
            const std::uint32_t warp =
                canvas.pairs.measured().measured().warps[canvas.pairs.pairs()[pair].measured].warp;
            TimelineLine whole = line;
            if (!both) whole.y1 += line.y1 - line.y0;
            names.name(whole, fmt::format("warp {}{}", warp, both ? " measured" : ""), colour);
        }
    }
}

void draw_paired_selection(const PairedCanvas& canvas, std::uint32_t chosen, std::uint32_t hovered) {
    const auto box_of = [&](std::uint32_t pair, Box& box) {
        if (pair >= canvas.pairs.pairs().size()) return false;
        const TimelineLine* line = canvas.line_of_row(2 * std::size_t{pair});
        if (!line) return false;
        const PairedIndex::Block& block = canvas.pairs.block_of(pair);
        const CycleScale scale = canvas.scale(0);
        box = {std::max(scale.x(0), canvas.plot.x0 - 2), line->y0 - canvas.ink.px(1),
               std::min(scale.x(std::max(block.measured_cycles, block.modelled_cycles)), canvas.plot.x1 + 2),
               line->y1 + (line->y1 - line->y0)};
        return box.width() > 0;
    };
    Box box;
    if (hovered != chosen && box_of(hovered, box)) canvas.ink.fill(box, canvas.frame.theme.hovered);
    if (box_of(chosen, box)) canvas.ink.outline(box, canvas.frame.theme.selected, canvas.ink.px(1.5f));
}

std::vector<std::string> paired_titles(const PairedIndex& pairs) {
    const std::string& kernel = pairs.measured().trace().launch.kernel;
    const Lengths median = median_block(pairs);
    const std::string off =
        off_words(static_cast<double>(median.modelled), static_cast<double>(median.measured));
    const std::string length = fmt::format("A block of `{}`: {} measured, {} modelled ({})", kernel,
                                           counted(median.measured, "cycle"), grouped(median.modelled), off);
    const auto spent = pairs.spent();
    std::string full = length;
    if (!spent.empty() && std::abs(spent.front().difference()) > 0)
        full += fmt::format("; largest difference at {}", place(pairs, spent.front().basic_block));
    return {full, length, fmt::format("`{}`: modelled {}", kernel, off)};
}

TimelineWords paired_words(const PairedIndex& pairs, std::uint32_t pair, bool modelled, double now) {
    TimelineWords words;
    const PairedIndex::Pair& of = pairs.pairs()[pair];
    const PairedIndex::Block& block = pairs.block_of(pair);
    const MeasuredIndex& measured = pairs.measured();
    const trace::MeasuredWarp& clocks = measured.measured().warps[of.measured];
    const trace::ScheduledWarp& scheduled = pairs.schedule().warps[of.scheduled];
    const auto& entered = pairs.entered(pair);
    const auto visits = measured.visits(of.measured);
    std::uint32_t visit = no_index;
    if (modelled) {
        for (std::uint32_t v = 0; v < entered.size(); ++v)
            if (entered[v] != trace::no_time && visits[v].entered != trace::no_time &&
                entered[v] <= block.modelled_begin + now)
                visit = v;
    } else {
        visit = measured.visit_at(of.measured, block.measured_begin + now);
    }
    words.sentence = fmt::format("Warp {} of block {}: {} measured, {} modelled.", clocks.warp,
                                 grouped(clocks.block), counted(clocks.end - clocks.begin, "cycle"),
                                 grouped(scheduled.departure - scheduled.arrival));
    if (visit != no_index && visit < entered.size() && entered[visit] != trace::no_time) {
        words.lines.push_back(fmt::format("basic block {}, {}", visits[visit].basic_block,
                                          place(pairs, visits[visit].basic_block)));
        words.lines.push_back(fmt::format(
            "measured: entered at {}",
            grouped(visits[visit].entered - std::min(visits[visit].entered, block.measured_begin))));
        words.lines.push_back(
            fmt::format("modelled: entered at {}",
                        grouped(entered[visit] - std::min(entered[visit], block.modelled_begin))));
    }
    words.lines.push_back(fmt::format("measured on SM {}, modelled on one SM", clocks.sm));
    return words;
}

void draw_paired_side(const PairedCanvas& canvas, const Box& box) {
    const Theme& theme = canvas.frame.theme;
    const Ink& ink = canvas.ink;
    const PairedIndex& pairs = canvas.pairs;
    hit_box("timeline side", box.min(), box.max());
    Box left = box;
    const float column = ink.px(62), line = ink.px(18);
    const auto row = [&](const std::string& words, const std::string& measured, const std::string& modelled,
                         const std::string& off, ImU32 colour) {
        if (left.height() < line) return;
        Box at = left.take_top(line);
        ink.text(at.take_right(column * 0.8f), off, theme.fonts.small, colour, Align::right);
        ink.text(at.take_right(column), modelled, theme.fonts.small, colour, Align::right);
        ink.text(at.take_right(column), measured, theme.fonts.small, colour, Align::right);
        ink.text(at, words, theme.fonts.small, colour);
    };
    const Lengths median = median_block(pairs);
    row("cycles", "measured", "modelled", "off", theme.text_dim);
    row("Median block", grouped(median.measured), grouped(median.modelled),
        off_words(static_cast<double>(median.modelled), static_cast<double>(median.measured)), theme.text);
    left.take_top(ink.px(6));
    if (left.height() < 3 * line) return;
    ink.text(left.take_top(line), "Basic blocks, mean per visit, largest difference first", theme.fonts.small,
             theme.text_dim);
    for (const PairedIndex::Spent& spent : pairs.spent()) {
        const auto visits = static_cast<double>(std::max<std::uint64_t>(spent.visits, 1));
        row(fmt::format("{}, block {}", place(pairs, spent.basic_block), spent.basic_block),
            decimal(spent.measured / visits, 0), decimal(spent.modelled / visits, 0),
            off_words(spent.modelled, spent.measured), theme.text);
    }
}

}  // namespace warplens::app
