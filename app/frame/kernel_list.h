// Kernel list: the catalogue by subject, each kernel with the one sentence it teaches.
#pragma once

#include "app/frame/frame_state.h"
#include "app/own_file/own_file.h"
#include "app/session.h"
#include "app/theme.h"

namespace warplens::app {

/// Fills the current window. The user's own file, when one is open, stands first.
void kernel_list(const Theme& theme, Session& session, FrameState& state, OwnFile* own);

}  // namespace warplens::app
