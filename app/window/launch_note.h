// The line over the panes while a file without a header runs as its host code launches it: with which launch,
// and what in it is a guess.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/session/own_file/own_file.h"
#include "app/ui/theme.h"
#include "app/window/frame_state.h"

namespace warplens::app {

inline constexpr const char* run_program_words = "▶ run the program";
inline constexpr const char* run_program_help =
    "Build the file's host code, run it on this machine up to a launch of the kernel (the first, unless the "
    "launch settings say another), and use the inputs that it gives instead of guesses. The CPU engine "
    "executes the launches before.";

inline constexpr const char* list_program_words = "all kernels …";
inline constexpr const char* list_program_help =
    "Run all of the program on the CPU engine, and list its kernels by modelled time: which one to look at.";

/// "Launched as in line 54: grid 2048, block 256. Not the program's own numbers: x, y."
std::string launch_note_words(const instrumentation::LaunchDraft& launch);

/// Its height; 0 when there is nothing to say, or it was closed. `open_view` opens the view of this name.
float launch_note(const Theme& theme, OwnFile& own, FrameState& state,
                  const std::function<void(std::string_view)>& open_view);

}  // namespace warplens::app
