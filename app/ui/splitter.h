// Splitter: the draggable space between two panes, with a hairline in its middle.
#pragma once

#include <string_view>

#include "app/ui/theme.h"

namespace warplens::app {

/// Pixels from pane to pane.
float splitter_width(const Theme& theme);
/// A vertical one at `x`, or a horizontal one at `y`. Returns how far it was dragged this frame, in pixels.
float vertical_splitter(const Theme& theme, std::string_view name, float x, float top, float bottom);
float horizontal_splitter(const Theme& theme, std::string_view name, float y, float left, float right);

}  // namespace warplens::app
