// Overlays: drawn over the panes: the veil over an outdated view, the banner that shows why
// a run failed, the first start's invitation, and the card of keys.
#pragma once

#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"
#include "app/window/lesson/lesson_page.h"

namespace warplens::app {

/// Over [min, max]: dims an outdated view, and says why a run failed unless another veil `says_why`. Takes no
/// mouse input.
void veil(const Theme& theme, const Session& session, const FrameState& state, ImVec2 min, ImVec2 max,
          bool says_why = true);
/// One sentence under the toolbar with a button that changes PAD, and one that begins the first lesson where
/// there are lessons; returns the height that it took.
float invitation(const Theme& theme, Session& session, FrameState& state, LessonPage* lessons);
void keys_card(const Theme& theme, FrameState& state);

}  // namespace warplens::app
