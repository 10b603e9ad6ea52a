// The line over the panes while a file without a header runs as its host code launches it: with which launch,
// and what in it is a guess.
#pragma once

#include <string>

#include "app/session/own_file/own_file.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

inline constexpr const char* run_program_words = "▶ run the program";
inline constexpr const char* run_program_help =
    "Build the file's host code, run it on this machine up to a launch of the kernel (the first, unless the "
    "launch settings say another), and use the inputs that it gives instead of guesses. The CPU engine "
    "executes the launches before.";

/// "Launched as in line 54: grid 2048, block 256. Not the program's own numbers: x, y."
std::string launch_note_words(const instrumentation::LaunchDraft& launch);

/// Its height; 0 when there is nothing to say, or it was closed.
float launch_note(const Theme& theme, OwnFile& own, FrameState& state);

}  // namespace warplens::app
