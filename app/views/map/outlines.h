// Where a map's cells lie on the screen, and outlines of some of them: cells beside each other have one
// outline, which covers none of them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "app/ui/ink.h"
#include "app/views/map/panel.h"

namespace warplens::app {

struct MapGrid {
    ImVec2 origin;
    float width, height;
    Box at(std::uint32_t row, std::uint32_t column, std::uint32_t count = 1) const {
        const float x = origin.x + width * static_cast<float>(column);
        const float y = origin.y + height * static_cast<float>(row);
        const float gap = std::min(width, height) >= 6 ? 1.0f : 0.0f;
        return {std::round(x), std::round(y), std::round(x + width * static_cast<float>(count)) - gap,
                std::round(y + height) - gap};
    }
};

/// Of the cells that hold these elements.
void outline_elements(const Ink& ink, const MapPanel& panel, const MapGrid& grid,
                      const std::vector<std::uint64_t>& elements, ImU32 colour, float thickness);
/// One mark for each cell of `map`, row by row: large cells are marked each, of small ones the regions.
void outline_changes(const Ink& ink, const analysis::AccessMap& map, const MapGrid& grid,
                     const std::vector<bool>& changed);

}  // namespace warplens::app
