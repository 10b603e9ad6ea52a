// Picture clipboard: a PNG for other programs to paste. GLFW offers only text, and on X11 and Wayland the
// owner of the clipboard must serve it for as long as it is there. The systems' own tools do that: wl-copy
// and xclip.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace warplens::app {

/// Returns once the tool has the picture. The error is a sentence that says what is missing.
Status copy_png(std::span<const std::uint8_t> png);

}  // namespace warplens::app
