// The heading of an array in the map view: its name, its shape, and what is accessed of it.
#pragma once

#include <string>
#include <vector>

#include "app/views/map/panel.h"

namespace warplens::app {

/// Two lines, each in the longest wording that fits.
void draw_map_heading(const Ink& ink, const MapPanel& panel, Box box);

/// "256 × 256", "2 × 16 × 16", "1,000 in rows of 64", "35,000 in groups of 7, 8 in a row"; in wordings,
/// longest first.
std::vector<std::string> shape_wordings(const analysis::MappedArray& array);

}  // namespace warplens::app
