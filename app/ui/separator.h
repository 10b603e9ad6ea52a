// Hairlines: the only borders between panels.
#pragma once

#include "app/ui/theme.h"

namespace warplens::app {

/// One pixel (of the monitor's scale) over the width of the current window, with `space` unscaled pixels
/// above and below.
void hairline(const Theme& theme, float space = 8);
void draw_horizontal_hairline(ImDrawList& list, const Theme& theme, float left, float right, float y);
void draw_vertical_hairline(ImDrawList& list, const Theme& theme, float x, float top, float bottom);

}  // namespace warplens::app
