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

std::string between_words(std::uint64_t before, std::uint64_t after) {
    if (before == after) return "as long as before";
    const std::uint64_t size = before > after ? before - after : after - before;
    return fmt::format("{} {}", counted(size, "cycle"), before > after ? "saved" : "more");
}

}  // namespace

float state_bars_height(const Ink& ink) {
    return 2 * bar_row(ink) + text_height(ink.theme.fonts.small) + ink.px(14);
}

void draw_state_bars(const Ink& ink, Box box, const StateBar& before, const StateBar& after) {
    const Theme& theme = ink.theme;
    const std::array bars{&before, &after};
    std::array<analysis::StallSummary, 2> sums{analysis::summarise(before.schedule->totals),
                                               analysis::summarise(after.schedule->totals)};
    const std::uint64_t most = std::max({sums[0].cycles, sums[1].cycles, std::uint64_t{1}});
    float names = 0, figures = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        names = std::max(names, text_width(theme.fonts.words, bars[i]->name));
        figures = std::max(figures, text_width(theme.fonts.code, counted(sums[i].cycles, "cycle")));
    }
    names = std::min(names, box.width() * 0.25f) + ink.px(12);
    ink.text(box.take_top(text_height(theme.fonts.small) + ink.px(4)),
             "Cycles of the modelled SM in both runs, divided by what its warps did", theme.fonts.small,
             theme.text_dim);
    const float left = box.x0 + names, right = std::max(box.x1 - figures - ink.px(12), left + 1);
    const auto x_of = [&](std::uint64_t cycles) {
        return left + (right - left) * static_cast<float>(cycles) / static_cast<float>(most);
    };
    const std::array<float, 2> ends{x_of(sums[0].cycles), x_of(sums[1].cycles)};
    const Box both{left, box.y0, right, box.y0 + 2 * bar_row(ink)};
    // The difference between the finish lines.
    const Box gap{std::min(ends[0], ends[1]), both.y0, std::max(ends[0], ends[1]), both.y1};
    const bool saved = ends[1] < ends[0];
    ink.fill(gap, with_alpha(saved ? theme.ideal : theme.cost, 0.14));
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const Box row = box.take_top(bar_row(ink));
        ink.text({row.x0, row.y0, left - ink.px(8), row.y1}, bars[i]->name, theme.fonts.words, theme.text);
        draw_states(ink, {left, row.y0 + ink.px(4), ends[i], row.y1 - ink.px(4)}, sums[i]);
        ink.text({right + ink.px(8), row.y0, row.x1, row.y1}, counted(sums[i].cycles, "cycle"),
                 theme.fonts.code, theme.text, Align::right);
        // The shorter run's row has room for the words.
        const bool shorter = ends[i] == gap.x0;
        if (shorter && gap.width() > 1)
            ink.text_if_fits({gap.x0 + ink.px(8), row.y0, gap.x1 - ink.px(8), row.y1},
                             between_words(sums[0].cycles, sums[1].cycles), theme.fonts.small, theme.text);
    }
    for (const float end : ends) ink.line({end, both.y0}, {end, both.y1}, theme.text, ink.px(1.5f));
}

}  // namespace warplens::app
