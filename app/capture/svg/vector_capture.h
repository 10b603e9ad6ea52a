// Vector capture: draws frames with no GPU and no display, and hands back the last one as a Drawing. The
// counterpart of app/capture/offscreen.h for pictures that are not made of pixels.
#pragma once

#include <functional>

#include "app/capture/svg/drawing.h"
#include "app/ui/theme.h"

namespace warplens::app::svg {

/// `width` and `height` in pixels, `scale` as a monitor's factor. Draws `frames` frames, so that what sizes
/// itself by its content has settled.
Drawing capture(float width, float height, float scale, ThemeName theme,
                const std::function<void(const Theme&)>& draw, int frames = 3);

}  // namespace warplens::app::svg
