// Overlays: drawn over the panes: the veil over an outdated view, the first start's invitation, and the card
// of keys. Why a run failed is app/window/failure_banner.h's.
#pragma once

#include <string>

#include "app/session/session.h"
#include "app/ui/ink.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"
#include "app/window/lesson/lesson_page.h"

namespace warplens::app {

/// Over the box: dims what is out of date. Takes no mouse input; `name` is unique in the frame.
void veil(const Theme& theme, const Session& session, const FrameState& state, const std::string& name,
          const Box& box);
/// One sentence under the toolbar with a button that turns PAD, and one that begins the first lesson where
/// there are lessons; returns the height that it took.
float invitation(const Theme& theme, Session& session, FrameState& state, LessonPage* lessons);
void keys_card(const Theme& theme, FrameState& state);

}  // namespace warplens::app
