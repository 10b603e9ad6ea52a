// The atomic requests of two runs at one scale: lanes and addresses of each, the cells that differ outlined,
// and their sites' requests by rounds on one axis.
#include <fmt/format.h>

#include <algorithm>

#include "app/ui/hit_boxes.h"
#include "app/ui/number.h"
#include "app/views/atomics/parts.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {

AtomicSidesHit draw_atomic_sides(const Ink& ink, const AtomicSides& sides, const Box& box) {
    AtomicSidesHit hit;
    Box rest = box;
    const Box bars = rest.take_bottom(std::clamp(box.height() * 0.28f, ink.px(90), ink.px(260)));
    rest.take_bottom(ink.px(12));
    const RunBoxes boxes = boxes_of_runs(ink, rest, ink.px(300));
    const auto draw = [&](const AtomicSide& side, const AtomicSide& other, Box part) {
        const auto rounds = side.request.detail.most_lanes();
        const std::string rounds_words = counted(rounds, "round");
        run_heading(
            ink, part, side.name,
            {fmt::format("{}: {} at {}, {}", side.place,
                         counted(static_cast<std::uint64_t>(side.request.detail.lanes.count()), "lane"),
                         counted(side.request.detail.addresses.size(), "address", "addresses"), rounds_words),
             fmt::format("{}: {}", side.place, rounds_words), rounds_words},
            rounds > 1 ? ink.theme.cost : ink.theme.ideal);
        const bool after = &side == &sides.after;
        AtomicPiles piles{ink, side.request, -1, -1, std::nullopt, &other.request, after};
        if (after) {
            piles.focus = sides.focus;
            piles.chosen = sides.chosen;
            piles.mouse = sides.mouse;
        }
        return draw_atomic_piles(piles, part);
    };
    draw(sides.before, sides.after, boxes.before);
    hit.lane = draw(sides.after, sides.before, boxes.after);
    hit.rounds = draw_contention(ink,
                                 {sides.after.histogram, sides.after.request.detail.most_lanes(),
                                  &sides.before.histogram, sides.before.name},
                                 sides.mouse, bars);
    hit_box("atomics before", boxes.before.min(), boxes.before.max());
    hit_box("atomics piles", boxes.after.min(), boxes.after.max());
    hit_box("atomics histogram", bars.min(), bars.max());
    return hit;
}

}  // namespace warplens::app
