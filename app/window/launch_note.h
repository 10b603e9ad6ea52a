// The line over the panes while a file without a header runs as its host code launches it: with which launch,
// and what in it is a guess.
#pragma once

#include <string>

#include "app/session/own_file/own_file.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

/// "Launched as in line 54: grid 2048, block 256. Not the program's own numbers: x, y."
std::string launch_note_words(const instrumentation::LaunchDraft& launch);

/// Its height; 0 when there is nothing to say, or it was closed.
float launch_note(const Theme& theme, OwnFile& own, FrameState& state);

}  // namespace warplens::app
