// Status line: the origin of the numbers, how much of the launch was executed, the kernel's problems.
#pragma once

#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

float status_line_height(const Theme& theme);
/// Draws from the cursor over the width of the content region.
void status_line(const Theme& theme, Session& session, FrameState& state);
/// The list that the status line's problem count opens, above it; nothing when it is closed.
void problem_list(const Theme& theme, Session& session, FrameState& state, float bottom);

}  // namespace warplens::app
