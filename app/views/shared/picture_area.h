// PictureArea: the room that a picture has above its legend and its provenance line.
#pragma once

#include <vector>

#include "app/ui/ink.h"
#include "app/ui/legend.h"

namespace warplens::app {

struct PictureArea {
    Box box;          // what the picture draws in
    float width = 0;  // of all the room, which `ImGui::Dummy` then takes
    float height = 0;
};

/// From a little below the cursor. `most` is the largest height that the picture uses, and `least` the one
/// below which the pane scrolls, in unscaled pixels.
PictureArea picture_area(const Ink& ink, const std::vector<LegendEntry>& entries, float most,
                         float least = 0);

}  // namespace warplens::app
