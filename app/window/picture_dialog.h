// Picture dialog: asks for the size, scale, theme and format of a picture of the open view.
#pragma once

#include "app/window/frame.h"

namespace warplens::app {

/// While FrameState::picture_dialog is set. It leaves what was chosen in FrameState::picture, and the wish
/// for the picture in FrameState::take_picture.
void picture_dialog(const Theme& theme, const Session& session, Frame& frame);

}  // namespace warplens::app
