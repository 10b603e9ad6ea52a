// Editor pane: edits the kernel's CUDA in place. The user's file is edited and saved itself, a kernel of the
// catalogue as a copy that has no file until it is saved under a name. The typed text runs after a short
// pause, without touching the file.
#pragma once

#include "app/scene/advice.h"
#include "app/session/own_file/own_file.h"
#include "app/session/session.h"
#include "app/ui/code_editor.h"
#include "app/ui/theme.h"
#include "app/window/file_dialogs.h"

namespace warplens::app {

class EditorPane {
  public:
    /// Fills the rest of the current window.
    void draw(const Theme& theme, Session& session, OwnFile& own, FileDialogs& dialogs);
    /// Puts the edits into the text as if they were typed, and runs it. They are of the text that ran last;
    /// one that was changed since stays, with a notice.
    void apply(const std::vector<Edit>& edits, Session& session, OwnFile& own, FileDialogs& dialogs);
    /// Scrolls to the line of the failure in the next frame.
    void show_failure() { marked_.clear(), state_.active = false; }
    /// Gives the text the keyboard focus in the next frame.
    void focus() { state_.focus = true; }

  private:
    void follow(const Session& session, const OwnFile& own);
    void read_heat(const Session& session);
    void read_marks(const Session& session, const OwnFile& own);
    bool take_typed(Session& session, OwnFile& own, FileDialogs& dialogs);
    void head(const Theme& theme, Session& session, OwnFile& own, FileDialogs& dialogs);

    CodeEditorState state_;
    const instrumentation::KernelFile* shown_ = nullptr;  // of the catalogue, while no own file is shown
    std::uint64_t version_ = 0;                           // OwnFile::text_version()
    bool shows_own_ = false;
    std::string marked_;  // the failure whose line was brought into view
    // The source of the marks: headers are on disk and must not be read in every frame.
    std::string failure_, text_;
    std::vector<EditorMark> marks_;
    std::vector<EditorHeat> heat_;
    std::string heat_text_;
    std::uint64_t heat_scene_ = 0, heat_timing_ = 0;
    std::shared_ptr<const MachineCode> heat_machine_;
};

}  // namespace warplens::app
