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

}  // namespace

MapLayout lay_out_panels(const Ink& ink, ImVec2 room, std::size_t arrays, bool paired) {
    MapLayout layout;
    // A narrow view breaks its title and the line below it, which names the thread in both runs.
    const float words = ink.px((room.x < ink.px(900) ? 200.0f : 150.0f) + (paired ? 20.0f : 0.0f));
    const float gap = ink.px(24);
    layout.height = std::max(room.y - words, ink.px(120));
    const std::size_t count =
        std::min(arrays, paired ? pairs_that_fit(ink, room.x, layout.height) : most_panels);
    std::size_t columns = 1;
    float best = 0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
        const auto rows = static_cast<float>((count + tried - 1) / tried);
        const float wide = (room.x + gap) / static_cast<float>(tried) - gap;
        const float high = (layout.height + gap) / rows - gap - ink.px(58);
        if (const float size = std::min(paired ? wide / 2 : wide, high * 1.6f); size > best) {
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

}  // namespace warplens::app
