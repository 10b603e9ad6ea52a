// How many of a site's requests take how many rounds, of one run or of two on the same axes.
#include <fmt/format.h>

#include <algorithm>

#include "app/ui/number.h"
#include "app/ui/text.h"
#include "app/views/atomics/parts.h"

namespace warplens::app {

std::optional<std::size_t> draw_contention(const Ink& ink, const ContentionBars& bars,
                                           std::optional<ImVec2> mouse, const Box& whole) {
    const Theme& theme = ink.theme;
    const analysis::ContentionHistogram& histogram = bars.histogram;
    std::optional<std::size_t> hit;
    Box box = whole;
    const std::string requests = grouped(histogram.all);
    Box heading = box.take_top(ink.px(22));
    if (bars.before)
        ink.heading(heading, {fmt::format("Requests of the site, by rounds: {} → {} on average; outlined: {}",
                                          decimal(bars.before->mean_rounds()),
                                          decimal(histogram.mean_rounds()), bars.before_name),
                              fmt::format("Requests by rounds; outlined: {}", bars.before_name),
                              "Rounds per request"});
    else
        ink.heading(heading, {fmt::format("All {} requests of the site, by rounds ({} on average)", requests,
                                          decimal(histogram.mean_rounds())),
                              fmt::format("{} requests by rounds", requests), "Rounds per request"});
    const Box axis = box.take_bottom(ink.px(20));
    box.take_top(ink.px(18));
    const auto most_of = [](const analysis::ContentionHistogram& of) {
        return std::max<std::uint64_t>(1, *std::ranges::max_element(of.requests));
    };
    const std::uint64_t most = std::max(most_of(histogram), bars.before ? most_of(*bars.before) : 1);
    // Up to the maximum number of rounds; few bars leave room at the right instead of filling the box.
    std::size_t last = 2;
    for (std::size_t rounds = 1; rounds <= warp_size; ++rounds)
        if (histogram.requests[rounds] > 0 || (bars.before && bars.before->requests[rounds] > 0))
            last = std::max(last, rounds);
    const float pitch = std::min(box.width() / static_cast<float>(last), ink.px(120));
    for (std::size_t rounds = 1; rounds <= last; ++rounds) {
        const float x = box.x0 + pitch * static_cast<float>(rounds - 1);
        const std::uint64_t count = histogram.requests[rounds];
        const float height = box.height() * static_cast<float>(double(count) / double(most));
        const Box bar{x, box.y1 - (count > 0 ? std::max(height, ink.px(2)) : 0), x + pitch - ink.px(2),
                      box.y1};
        if (count > 0) ink.fill(bar, rounds == 1 ? theme.ideal : theme.cost, ink.px(2));
        if (bars.before && bars.before->requests[rounds] > 0) {
            const double was = double(bars.before->requests[rounds]) / double(most);
            const float top = box.y1 - std::max(box.height() * static_cast<float>(was), ink.px(2));
            ink.outline({bar.x0, top, bar.x1, box.y1}, theme.text_dim, ink.px(1.5f), ink.px(2));
        }
        if (rounds == bars.shown && !bars.before)
            ink.outline(bar.inset(-ink.px(2)), theme.selected, ink.px(2), ink.px(3));
        const std::string all = grouped(count);
        if (count > 0)
            ink.text_if_fits(
                {x, bar.y0 - ink.px(17), x + pitch, bar.y0 - ink.px(2)},
                text_width(theme.fonts.small, all) <= pitch ? all : compact(static_cast<double>(count)),
                theme.fonts.small, theme.text);
        if (mouse && count > 0 && Box{x, box.y0, x + pitch, box.y1}.has(*mouse)) {
            hit = rounds;
            ink.fill({x, box.y0, x + pitch, box.y1}, theme.hovered);
        }
        if (last <= 12 || rounds == 1 || rounds % 4 == 0)
            ink.text({x - ink.px(8), axis.y0, x + pitch + ink.px(8), axis.y1}, std::to_string(rounds),
                     theme.fonts.small, theme.text_dim, Align::centre);
    }
    ink.line({box.x0, box.y1}, {box.x0 + pitch * static_cast<float>(last), box.y1}, theme.hairline);
    return hit;
}

}  // namespace warplens::app
