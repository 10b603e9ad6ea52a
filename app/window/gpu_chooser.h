// GPU chooser: the list of GPUs in the toolbar, and over it the limits of the chosen one, each a knob. A
// changed limit makes a GPU of your own (core/own_gpu.h), which is named by what was changed.
#pragma once

#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

void gpu_chooser(const Theme& theme, Session& session, FrameState& state);

}  // namespace warplens::app
