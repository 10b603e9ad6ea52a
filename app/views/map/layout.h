// Where the map view draws its arrays: as many as there is room for, in as many columns as make them largest.
#pragma once

#include <cstddef>
#include <vector>

#include "app/ui/ink.h"
#include "app/views/shared/two_runs.h"

namespace warplens::app {

/// Arrays side by side, of one run and of two.
constexpr std::size_t most_panels = 6, most_pairs = 3;

struct MapLayout {
    std::vector<Box> boxes;  // relative to the first one's corner
    float height = 0;        // of all of them
};

/// `room`: for title, arrays and legend. `paired`: each box holds an array of two runs.
MapLayout lay_out_panels(const Ink& ink, ImVec2 room, std::size_t arrays, bool paired);

/// Of one array in two runs: next to or above each other, whichever gives larger cells.
RunBoxes pair_boxes(const Ink& ink, const Box& box);

}  // namespace warplens::app
