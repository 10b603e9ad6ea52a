#include "app/views/map/layout.h"

#include <algorithm>

namespace warplens::app {
namespace {

/// Arrays of two runs with cells that are large enough to see.
std::size_t pairs_that_fit(const Ink& ink, float width, float height) {
    const auto across = static_cast<std::size_t>(std::max(width / ink.px(340), 1.0f));
    const auto down = static_cast<std::size_t>(std::max(height / ink.px(210), 1.0f));
    return std::min(most_pairs, across * down);
}

/// The headings over a panel of one run, and over one of a run that is compared.
constexpr float heading = 58, heading_in_pair = 84, row_numbers = 40;

/// The width of the cells that a panel of this size has room for: at most 1.6 times as wide as high.
float cells_that_fit(const Ink& ink, ImVec2 panel, float headings) {
    return std::min(panel.x - ink.px(row_numbers), 1.6f * (panel.y - ink.px(headings)));
}

struct PairSizes {
    float beside, above;
};
PairSizes pair_sizes(const Ink& ink, ImVec2 box) {
    return {cells_that_fit(ink, {(box.x - ink.px(24)) / 2, box.y}, heading_in_pair),
            cells_that_fit(ink, {box.x, (box.y - ink.px(12)) / 2}, heading_in_pair)};
}

}  // namespace

MapLayout lay_out_panels(const Ink& ink, ImVec2 room, std::size_t arrays, bool paired) {
    MapLayout layout;
    // A narrow view breaks its title and the line below it, which names the thread in both runs.
    float words = ink.px((room.x < ink.px(900) ? 200.0f : 150.0f) + (paired ? 20.0f : 0.0f));
    // A high one has a headline; of two runs it has none, but lines above that break sooner.
    if (room.y > ink.px(460)) words += ink.px(40);
    const float gap = ink.px(24);
    layout.height = std::max(room.y - words, ink.px(120));
    const std::size_t count =
        std::min(arrays, paired ? pairs_that_fit(ink, room.x, layout.height) : most_panels);
    std::size_t columns = 1;
    float best = 0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
        const auto rows = static_cast<float>((count + tried - 1) / tried);
        const float wide = (room.x + gap) / static_cast<float>(tried) - gap;
        const float high = (layout.height + gap) / rows - gap;
        const PairSizes pair = pair_sizes(ink, {wide, high});
        if (const float size =
                paired ? std::max(pair.beside, pair.above) : cells_that_fit(ink, {wide, high}, heading);
            size > best) {
            best = size;
            columns = tried;
        }
    }
    const std::size_t rows = (count + columns - 1) / columns;
    const float wide = (room.x + gap) / static_cast<float>(columns) - gap;
    const float high = (layout.height + gap) / static_cast<float>(rows) - gap;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i % columns) * (wide + gap);
        const float y = static_cast<float>(i / columns) * (high + gap);
        layout.boxes.push_back({x, y, x + wide, y + high});
    }
    return layout;
}

RunBoxes pair_boxes(const Ink& ink, const Box& box) {
    const PairSizes sizes = pair_sizes(ink, {box.width(), box.height()});
    return boxes_of_runs(ink, box, sizes.above > sizes.beside ? box.width() : 0);
}

}  // namespace warplens::app
