// Toolbar: kernel, engine and GPU; the kernel's knobs; the run and its time; picture, theme and keys. The
// knobs move to rows of their own when the window is too narrow for one.
#pragma once

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/file_dialogs.h"
#include "app/window/frame_state.h"
#include "app/window/layout.h"

namespace warplens::app {

/// Draws from the cursor over the width of the content region; returns the height that it took.
/// Without an own file there is no file menu.
float toolbar(const Theme& theme, Session& session, FrameState& state, Layout& layout, OwnFile* own,
              FileDialogs& dialogs);

}  // namespace warplens::app
