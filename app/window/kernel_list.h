// Kernel list: the catalogue by subject in the order of the curriculum, each kernel with the one sentence it
// teaches. A field on top filters it, and a click on a subject folds its kernels away.
#pragma once

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

/// Fills the current window. The user's own file, if open, is listed first.
void kernel_list(const Theme& theme, Session& session, FrameState& state, OwnFile* own);

}  // namespace warplens::app
