// Hatched rectangle: how padding, lanes that are off and bytes fetched but unused are drawn, everywhere.
#pragma once

#include "app/ui/theme.h"

namespace warplens::app {

/// Diagonal lines from lower left to upper right, clipped to the box. They share one grid over the entire
/// screen, so that neighbouring boxes join without a seam. `spacing` is in unscaled pixels.
void draw_hatched(ImDrawList& list, const Theme& theme, ImVec2 min, ImVec2 max, ImU32 colour,
                  float spacing = 5);

/// The colour of a hatch on a filled box: the fill, nearer to the background.
ImU32 hatch_on(const Theme& theme, ImU32 fill);

}  // namespace warplens::app
