// Picture clipboard: a PNG for other programs to paste. GLFW offers only text. On X11 Warplens serves the
// picture itself (app/window/x11_picture.h), so it is there until the window closes or something else is
// copied. On Wayland only wl-copy can.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace warplens::app {

/// Returns once the clipboard has the picture. The error is a sentence that says what is missing.
Status copy_png(std::span<const std::uint8_t> png);

}  // namespace warplens::app
