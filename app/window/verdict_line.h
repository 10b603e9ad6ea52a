// The line under the toolbar while runs are compared: the baseline, and one sentence about what changed.
#pragma once

#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

/// Draws from the cursor over the full width; returns its height, 0 without a baseline.
float verdict_line(const Theme& theme, Session& session, const FrameState& state);

}  // namespace warplens::app
