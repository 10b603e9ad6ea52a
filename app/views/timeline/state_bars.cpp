#include "app/views/timeline/state_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/time/stalls.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {
namespace {

float bar_row(const Ink& ink) { return std::max(ink.px(26), text_height(ink.theme.fonts.words) + ink.px(8)); }

/// Segments as long as their states' share of the warps' time.
void draw_states(const Ink& ink, const Box& bar, const analysis::StallSummary& summary) {
    double done = 0;
    for (const WarpStateInfo& state : warp_states) {
        const double share = summary.share(state.state);
        if (share <= 0) continue;
        const Box part{bar.x0 + bar.width() * static_cast<float>(done), bar.y0,
                       bar.x0 + bar.width() * static_cast<float>(done + share), bar.y1};
        ink.fill(part, ink.theme.state(state.state));
        if (is_hatched(state.state) && part.width() > ink.px(4)) ink.hatch(part, ink.theme.background);
        done += share;
    }
}

void draw_caption(const Ink& ink, const Box& box, const std::array<std::string, 2>& wordings) {
    ImFont* const font = ink.theme.fonts.small;
    ink.text(box, wording_that_fits(font, wordings, box.width()), font, ink.theme.text_dim);
}

std::string between_words(std::uint64_t before, std::uint64_t after) {
    if (before == after) return "as long as before";
    const std::uint64_t size = before > after ? before - after : after - before;
    return fmt::format("{} {}", counted(size, "cycle"), before > after ? "saved" : "more");
}

}  // namespace

float state_bars_height(const Ink& ink) {
    return 2 * bar_row(ink) + text_height(ink.theme.fonts.small) + ink.px(14);
}

void draw_state_bars(const Ink& ink, Box box, float left, float right, const StateBar& before,
                     const StateBar& after, bool one_clock) {
    const Theme& theme = ink.theme;
    const std::array bars{&before, &after};
    std::array<analysis::StallSummary, 2> sums{analysis::summarise(before.schedule->totals),
                                               analysis::summarise(after.schedule->totals)};
    const std::uint64_t most = std::max({sums[0].cycles, sums[1].cycles, std::uint64_t{1}});
    draw_caption(ink, box.take_top(text_height(theme.fonts.small) + ink.px(4)),
                 {fmt::format("{}: {}, {}: {} of the modelled SM, {}", before.name,
                              counted(sums[0].cycles, "cycle"), after.name, counted(sums[1].cycles, "cycle"),
                              one_clock ? "divided by what its warps did" : "cycles of different clocks"),
                  fmt::format("{} → {}{}", grouped(sums[0].cycles), counted(sums[1].cycles, "cycle"),
                              one_clock ? " of the modelled SM" : " of different clocks")});
    const auto x_of = [&](std::uint64_t cycles) {
        return left + (right - left) * static_cast<float>(cycles) / static_cast<float>(most);
    };
    const std::array<float, 2> ends{x_of(sums[0].cycles), x_of(sums[1].cycles)};
    const Box both{left, box.y0, right, box.y0 + 2 * bar_row(ink)};
    // The difference between the finish lines.
    const Box gap{std::min(ends[0], ends[1]), both.y0, std::max(ends[0], ends[1]), both.y1};
    const bool saved = ends[1] < ends[0];
    if (one_clock) ink.fill(gap, with_alpha(saved ? theme.ideal : theme.cost, 0.14));
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const Box row = box.take_top(bar_row(ink));
        ink.text({row.x0, row.y0, left - ink.px(6), row.y1}, bars[i]->name, theme.fonts.small, theme.text,
                 Align::right);
        draw_states(ink, {left, row.y0 + ink.px(4), ends[i], row.y1 - ink.px(4)}, sums[i]);
        // The shorter run's row has room for the words.
        const bool shorter = ends[i] == gap.x0;
        if (one_clock && shorter && gap.width() > 1)
            ink.text_if_fits({gap.x0 + ink.px(8), row.y0, gap.x1 - ink.px(8), row.y1},
                             between_words(sums[0].cycles, sums[1].cycles), theme.fonts.small, theme.text);
    }
    for (const float end : ends) ink.line({end, both.y0}, {end, both.y1}, theme.text, ink.px(1.5f));
}

}  // namespace warplens::app
