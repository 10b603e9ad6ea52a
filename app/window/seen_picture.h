// Seen picture: the open view as it is on screen, for a file or the clipboard.
#pragma once

#include <string>

#include "app/ui/theme.h"
#include "app/window/frame.h"

namespace warplens::app {

/// Of the file that take_picture writes, which does not exist yet: kernel, settings that differ from the
/// defaults, view: "transpose_tiled_PAD=1_banks.png".
std::string picture_name(const Session& session, const Frame& frame);

/// Draws the view as FrameState::picture says, into a file in the current folder or onto the clipboard; the
/// notice says where it is, or why not. It leaves another OpenGL context current.
std::string take_picture(Session& session, const Frame& frame, const Theme& theme, PictureTarget target);

}  // namespace warplens::app
