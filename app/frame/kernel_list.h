// Kernel list: the catalogue by subject, each kernel with the one sentence it teaches.
#pragma once

#include "app/frame/frame_state.h"
#include "app/session.h"
#include "app/theme.h"

namespace warplens::app {

/// Fills the current window.
void kernel_list(const Theme& theme, Session& session, FrameState& state);

}  // namespace warplens::app
