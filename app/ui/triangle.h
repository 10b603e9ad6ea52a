// Small triangles that point: in knobs, choosers and folded rows. They are drawn, because the size of a
// font's triangles varies.
#pragma once

#include "app/ui/theme.h"

namespace warplens::app {

/// Points left, right, up or down from the middle of the box; `size` is its length in unscaled pixels.
void draw_triangle(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImGuiDir direction,
                   ImU32 colour, float size = 5);

}  // namespace warplens::app
