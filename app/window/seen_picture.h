// Seen picture: the open view as it is on screen, for a file or the clipboard.
#pragma once

#include <string>

#include "app/ui/theme.h"
#include "app/window/frame.h"

namespace warplens::app {

/// Draws the view at twice its size, into a file in the current folder or onto the clipboard; the notice says
/// where it is, or why not. It leaves another OpenGL context current.
std::string take_picture(Session& session, const Frame& frame, const Theme& theme, PictureTarget target);

}  // namespace warplens::app
