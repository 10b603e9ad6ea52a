#include "app/views/map/outlines.h"

#include <algorithm>
#include <cmath>

#include "app/views/shared/two_runs.h"

namespace warplens::app {
namespace {

using analysis::AccessMap;
using analysis::MapCell;

/// The edges of the marked cells, `grow` outside of them, so that a region is one outline.
void outline_region(const Ink& ink, const AccessMap& map, const MapGrid& grid,
                    const std::vector<bool>& marked, ImU32 colour, float thickness, float grow) {
    const auto is_in = [&](std::int64_t row, std::int64_t column) {
        return row >= 0 && row < map.rows && column >= 0 && column < map.columns &&
               marked[static_cast<std::size_t>(row * map.columns + column)];
    };
    const auto line = [&](ImVec2 from, ImVec2 to) { ink.line(from, to, colour, thickness); };
    for (std::uint32_t r = 0; r < map.rows; ++r)
        for (std::uint32_t c = 0; c < map.columns; ++c) {
            const std::int64_t row = r, column = c;
            if (!is_in(row, column)) continue;
            const bool above = is_in(row - 1, column), below = is_in(row + 1, column);
            const bool before = is_in(row, column - 1), after = is_in(row, column + 1);
            if (above && below && before && after) continue;
            const Box cell = grid.at(r, c);
            // To the next cell, over the gap, or out to the corner.
            const float end = thickness / 2;
            const float x0 = cell.x0 - grow, y0 = cell.y0 - grow, x1 = cell.x1 + grow, y1 = cell.y1 + grow;
            const float left = before ? cell.x0 : x0 - end, right = after ? grid.at(r, c + 1).x0 : x1 + end;
            const float top = above ? cell.y0 : y0 - end, bottom = below ? grid.at(r + 1, c).y0 : y1 + end;
            if (!above) line({left, y0}, {right, y0});
            if (!below) line({left, y1}, {right, y1});
            if (!before) line({x0, top}, {x0, bottom});
            if (!after) line({x1, top}, {x1, bottom});
        }
}

}  // namespace

void outline_elements(const Ink& ink, const MapPanel& panel, const MapGrid& grid,
                      const std::vector<std::uint64_t>& elements, ImU32 colour, float thickness) {
    if (elements.empty()) return;
    std::vector<bool> marked(panel.map.cells.size());
    for (const std::uint64_t element : elements)
        if (const MapCell* cell = panel.map.cell_of(panel.array, element))
            marked[static_cast<std::size_t>(cell - panel.map.cells.data())] = true;
    const float grow = std::max(thickness - 1, 2.5f - grid.width / 2);
    outline_region(ink, panel.map, grid, marked, colour, thickness, grow);
}

/// Small cells would be hidden by their outlines: there, the edges of what differs.
void outline_changes(const Ink& ink, const AccessMap& map, const MapGrid& grid,
                     const std::vector<bool>& changed) {
    if (std::min(grid.width, grid.height) < ink.px(10))
        return outline_region(ink, map, grid, changed, ink.theme.text, 1, 0);
    for (std::uint32_t row = 0; row < map.rows; ++row)
        for (std::uint32_t column = 0; column < map.columns; ++column)
            if (changed[std::size_t{row} * map.columns + column]) outline_change(ink, grid.at(row, column));
}

}  // namespace warplens::app
