// Failure banner: under the toolbar, why the last run failed and in which line. It takes room of its own, so
// that it covers nothing, until it is closed or a run succeeds.
#pragma once

#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

bool shows_failure(const Session& session, const FrameState& state);
/// Draws from the cursor over the full width; returns its height, 0 when there is nothing to say. With
/// `can_edit` a button leads to the line in the editor.
float failure_banner(const Theme& theme, const Session& session, FrameState& state, bool can_edit);

}  // namespace warplens::app
