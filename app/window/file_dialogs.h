// File dialogs: the toolbar's list of file commands, and their questions — the file to open, save or create,
// which app/window/file_browser.h shows, and what to do with unsaved changes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/theme.h"
#include "app/window/file_browser.h"

namespace warplens::app {

class FileDialogs {
  public:
    enum class After { nothing, close_file, close_window };

    /// "file ▾" in a row of controls.
    void menu(const Theme& theme, Session& session, OwnFile& own);
    /// Over everything else; nothing when no question is open.
    void draw(const Theme& theme, Session& session, OwnFile& own);

    /// Over the file itself, or asks for a name where it has none.
    void save(Session& session, OwnFile& own);
    void ask_save_as(Session& session, OwnFile& own);
    void ask_new();
    void ask_open();
    /// Asks what to do with unsaved changes, then continues with the action.
    void ask_unsaved(After after);
    void say(std::string notice) { notice_ = std::move(notice); }

    /// Opens the file, unless there are changes that are not saved: then it asks what becomes of them.
    void open_now(const std::string& path, OwnFile& own);
    /// Puts it first among the recent files.
    void note_opened(const std::string& path);
    std::vector<std::string> recent;  // absolute paths, the newest first

    /// True once when the window may close.
    bool take_close_window() { return std::exchange(close_window_, false); }
    /// A sentence for the status line, once.
    std::string take_notice() { return std::exchange(notice_, {}); }

  private:
    enum class Question { none, open, create, save_as, unsaved };
    void ask(Question question, std::string path);
    void ask_for_file(Question question, const std::string& stem);
    void ask_for_path(const Theme& theme, OwnFile& own);
    void draw_field(const Theme& theme);
    void take_path(OwnFile& own);
    void ask_what_of_changes(const Theme& theme, Session& session, OwnFile& own);
    Status answer(const std::string& path, OwnFile& own);
    void finish(OwnFile& own);

    Question question_ = Question::none;
    After after_ = After::nothing;
    bool appearing_ = false, focus_ = false, close_window_ = false;
    bool entered_ = false;  // Enter was pressed in the field
    FileBrowser browser_;
    std::string path_, picked_, error_, notice_;
};

}  // namespace warplens::app
