// Window commands: what a person can ask the window to do by name, one row each, with its key. The palette
// lists them and the card of keys prints them. What a view asks of the session is app/views/view.h's
// Commands.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/session/setting_history.h"
#include "app/window/file_dialogs.h"
#include "app/window/frame_state.h"
#include "app/window/lesson/lesson_page.h"

namespace warplens::app {

/// What commands work on.
struct CommandContext {
    Session& session;
    FrameState& state;
    FileDialogs& dialogs;
    SettingHistory& history;
    OwnFile* own = nullptr;         // null: no files of the user's, as in pictures
    LessonPage* lessons = nullptr;  // null: there are none
    std::function<void(std::string_view view)> open_view;
};

struct WindowCommand {
    const char* name;   // names its row in the palette: "run"
    const char* words;  // "Run the kernel again"
    const char* key;    // "Space"; empty: it has none
    bool (*possible)(const CommandContext& context);
    void (*carry_out)(const CommandContext& context);
};

std::span<const WindowCommand> window_commands();

}  // namespace warplens::app
