#include "app/views/timeline/side.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/ui/hatch.h"
#include "app/ui/hit_boxes.h"
#include "app/ui/imgui_compat.h"
#include "app/ui/number.h"
#include "app/ui/text.h"

namespace warplens::app {

namespace {

using analysis::StallSummary;

void stacked_bar(const TimelineCanvas& canvas, const Box& box, const StallSummary& summary) {
    const Theme& theme = canvas.frame.theme;
    canvas.ink.fill(box, theme.raised);
    double before = 0;
    for (const WarpStateInfo& state : warp_states) {
        const double share = summary.share(state.state);
        const Box part{box.x0 + static_cast<float>(before) * box.width(), box.y0,
                       box.x0 + static_cast<float>(before + share) * box.width(), box.y1};
        before += share;
        if (part.width() <= 0) continue;
        const ImU32 fill = theme.state(state.state);
        canvas.ink.fill(part, fill);
        if (is_hatched(state.state)) canvas.ink.hatch(part, hatch_on(theme, fill), 4);
        canvas.ink.text_if_fits(part.inset(canvas.ink.px(1)), percent(share, 0), theme.fonts.small,
                                theme.text_on(fill));
    }
}

/// A row of the table: a label, the total and the value of the range.
struct SideTable {
    const TimelineCanvas& canvas;
    Box left;      // what remains of the panel
    float column;  // width of a number's
    bool two;      // a range is compared

    float line() const { return std::round(canvas.ink.px(18)); }
    bool has_room() const { return left.height() >= line(); }
    void row(const std::string& words, const std::string& whole, const std::string& range, ImU32 colour,
             const WarpState* state = nullptr) {
        const Theme& theme = canvas.frame.theme;
        Box box = left.take_top(line());
        if (two) canvas.ink.text(box.take_right(column), range, theme.fonts.small, colour, Align::right);
        canvas.ink.text(box.take_right(column), whole, theme.fonts.small, colour, Align::right);
        if (state) {
            const float size = canvas.ink.px(11), top = std::round((box.y0 + box.y1 - size) / 2);
            const Box swatch{box.x0, top, box.x0 + size, top + size};
            const ImU32 fill = theme.state(*state);
            canvas.ink.fill(swatch, fill, canvas.ink.px(2));
            if (is_hatched(*state)) canvas.ink.hatch(swatch, hatch_on(theme, fill), 4);
            box.x0 += size + canvas.ink.px(6);
        }
        canvas.ink.text(box, words, theme.fonts.small, colour);
    }
};

/// Eligible warps of a scheduler over the visible cycles, with their mean and maximum.
void eligible_curve(const TimelineCanvas& canvas, const TimelineDensity& density, Box box) {
    const Theme& theme = canvas.frame.theme;
    const Ink& ink = canvas.ink;
    // A longer run that is compared with lengthens the axis; the mean is of this one's cycles.
    const double seen = (canvas.index.sums().cycles() - canvas.view.first) / canvas.view.size();
    const auto& columns = density.eligible();
    const auto own = static_cast<std::size_t>(std::ceil(std::clamp(seen, 0.0, 1.0) * double(columns.size())));
    const std::span<const float> eligible(columns.data(), own);
    if (eligible.empty()) return;
    const auto points = static_cast<std::size_t>(std::max(8.0f, box.width() / ink.px(2)));
    std::vector<float> means(std::min(points, eligible.size()), 0);
    float most = 0;
    double all = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        const std::size_t first = i * eligible.size() / means.size();
        const std::size_t last = std::max(first + 1, (i + 1) * eligible.size() / means.size());
        for (std::size_t x = first; x < last; ++x) means[i] += eligible[x];
        means[i] /= static_cast<float>(last - first);
        most = std::max(most, means[i]);
        all += means[i];
    }
    const Box heading = box.take_top(ink.px(18));
    const std::string mean = decimal(all / static_cast<double>(means.size()), 2);
    std::string words = fmt::format("Eligible warps per scheduler, visible range: {} on average", mean);
    if (text_width(theme.fonts.small, words) > heading.width())
        words = fmt::format("Eligible warps per scheduler: {}", mean);
    ink.text(heading, words, theme.fonts.small, theme.text_dim);
    box.take_top(ink.px(6));  // half a number above the axis
    const Box low = box.take_bottom(ink.px(2));
    ink.line({low.x0, low.y0}, {low.x1, low.y0}, theme.hairline);
    const float top = std::max(1.0f, std::ceil(most * 2) / 2);
    const std::string scale = decimal(top, 1);
    const Box axis = box.take_left(text_width(theme.fonts.small, scale) + ink.px(8));
    // Each number stands at its tick.
    const auto tick = [&](float y, const std::string& number) {
        ink.line({axis.x1 - ink.px(3), y}, {axis.x1, y}, theme.text_dim);
        ink.text({axis.x0, y - ink.px(6), axis.x1 - ink.px(5), y + ink.px(6)}, number, theme.fonts.small,
                 theme.text_dim, Align::right);
    };
    ink.line({axis.x1, axis.y0}, {axis.x1, axis.y1}, theme.hairline);
    tick(axis.y0, scale);
    tick(axis.y1, "0");
    const ImU32 colour = theme.state(WarpState::selected);
    const auto x_of = [&](std::size_t i) {
        return box.x0 + box.width() * static_cast<float>(i) / static_cast<float>(means.size());
    };
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < means.size(); ++i) {
        const float y = box.y1 - box.height() * means[i] / top;
        ink.fill({x_of(i), y, x_of(i + 1), box.y1}, with_alpha(colour, 0.25));
        line.push_back({(x_of(i) + x_of(i + 1)) / 2, y});
    }
    compat::add_polyline(*ink.list, line.data(), static_cast<int>(line.size()), colour, false, ink.px(1.5f));
    const float one = box.y1 - box.height() / top;  // below it the scheduler has cycles without a ready warp
    ink.line({box.x0, one}, {box.x1, one}, with_alpha(theme.text, 0.3));
    if (one >= axis.y0 + ink.px(12) && one <= axis.y1 - ink.px(12)) tick(one, "1");
}

}  // namespace

void draw_timeline_side(const TimelineCanvas& canvas, const TimelineDensity& density, const Box& box,
                        const std::string& limiting, const std::optional<TimelineRangeWords>& range) {
    const Theme& theme = canvas.frame.theme;
    const Ink& ink = canvas.ink;
    const trace::Schedule& schedule = canvas.index.schedule();
    const StallSummary whole = analysis::summarise(schedule.totals);
    const StallSummary part = range ? canvas.index.sums().summarise(range->range) : StallSummary{};
    Box left = box;
    hit_box("timeline side", box.min(), box.max());
    if (!limiting.empty()) {
        ImGui::SetCursorScreenPos(left.min());
        // In a low panel smaller words, rather than words over the legend.
        const float height = std::ceil(1.1f * text_width(theme.fonts.words, limiting) / left.width()) *
                             text_height(theme.fonts.words) * 1.55f;
        ImFont* const font = height <= left.height() ? theme.fonts.words : theme.fonts.small;
        rich_text(theme, font, theme.fonts.code, theme.text, limiting, left.width());
        left.y0 = std::min(left.y1, ImGui::GetCursorScreenPos().y);
    }
    const float bar = std::round(ink.px(16));
    const auto bar_with_name = [&](const std::string& name, const StallSummary& summary) {
        if (left.height() < bar + ink.px(18)) return;
        ink.text(left.take_top(ink.px(18)), name, theme.fonts.small, theme.text_dim);
        stacked_bar(canvas, left.take_top(bar), summary);
        left.take_top(ink.px(4));
    };
    bar_with_name(
        fmt::format("What {} did, all {}", counted(static_cast<std::uint64_t>(schedule.warps.size()), "warp"),
                    counted(whole.cycles, "cycle")),
        whole);
    if (range) bar_with_name(fmt::format("{}, {}", range->name, counted(part.cycles, "cycle")), part);

    SideTable table{canvas, left, ink.px(52), range.has_value()};
    const float curve = std::round(ink.px(76));
    const bool curve_fits = table.left.height() >= curve + 5 * table.line();
    Box below = curve_fits ? table.left.take_bottom(curve) : Box{};
    if (range && table.has_room()) table.row("", "all", "range", theme.text_dim);
    const auto both = [&](const char* words, auto&& number) {
        if (table.has_room()) table.row(words, number(whole), number(part), theme.text);
    };
    both("Issue slots used", [](const StallSummary& s) { return percent(s.issue_active()); });
    both("Issues", [](const StallSummary& s) { return grouped(s.issued); });
    auto states = warp_states;
    std::ranges::stable_sort(states, [&](const WarpStateInfo& a, const WarpStateInfo& b) {
        return whole.states[a.state] > whole.states[b.state];
    });
    for (const WarpStateInfo& state : states)
        if ((whole.states[state.state] > 0 || part.states[state.state] > 0) && table.has_room())
            table.row(std::string(state.title), percent(whole.share(state.state)),
                      percent(part.share(state.state)), theme.text_dim, &state.state);
    if (!curve_fits) return;
    // Directly below the table, and a little higher where there is room.
    below.y0 = table.left.y0 + ink.px(8);
    below.y1 = std::min(below.y1, below.y0 + ink.px(130));
    eligible_curve(canvas, density, below);
}

}  // namespace warplens::app
