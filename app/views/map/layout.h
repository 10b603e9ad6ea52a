// Where the map view draws its arrays: as many as there is room for, in as many columns as make them largest.
#pragma once

#include <cstddef>
#include <vector>

#include "app/ui/ink.h"

namespace warplens::app {

/// Arrays side by side, of one run and of two.
constexpr std::size_t most_panels = 6, most_pairs = 3;

struct MapLayout {
    std::vector<Box> boxes;  // relative to the first one's corner
    float height = 0;        // of all of them
};

/// `room`: for title, arrays and legend. `paired`: each box holds an array of two runs.
MapLayout lay_out_panels(const Ink& ink, ImVec2 room, std::size_t arrays, bool paired);

}  // namespace warplens::app
