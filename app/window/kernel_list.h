// Kernel list: the catalogue by subject, each kernel with the one sentence it teaches.
#pragma once

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

/// Fills the current window. The user's own file, if open, is listed first.
void kernel_list(const Theme& theme, Session& session, FrameState& state, OwnFile* own);

}  // namespace warplens::app
