// Frame: everything inside the window — toolbar, kernel list, source, the centre's views, the explanation and
// the status line — drawn once a frame from a Session and a Layout. It opens no window and runs nothing; the
// same frame is drawn on screen (app/window/window.h), into pictures (app/window/pictures.h) and in tests
// (tests/support/headless.h). Its panes are drawn by panes.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/scene/failed_source.h"
#include "app/scene/play_head.h"
#include "app/session/saved/saved_session.h"
#include "app/session/session.h"
#include "app/session/setting_history.h"
#include "app/ui/ink.h"
#include "app/ui/theme.h"
#include "app/views/view.h"
#include "app/window/editor_pane.h"
#include "app/window/file_dialogs.h"
#include "app/window/frame_state.h"
#include "app/window/layout.h"
#include "app/window/lesson/lesson_page.h"
#include "app/window/palette/palette.h"
#include "app/window/text_under_mouse.h"

namespace warplens::app {

/// The view in the centre as it is on screen: what the picture button saves.
struct SeenView {
    std::string view;
    float width = 0, height = 0;  // pixels
};

class Frame {
  public:
    Frame(Session& session, Layout& layout);
    ~Frame();

    /// One frame over the entire display. Polls the session first.
    void draw(const Theme& theme);
    /// Opens the tab of a view, or does nothing if no view has that name.
    void open_view(std::string_view name);
    /// The first start: the tiled transpose without padding, and one sentence that suggests changing PAD.
    /// False if the catalogue has no such kernel.
    bool open_first_lesson();

    /// Lets users open and edit their own files; pictures do without it.
    void set_own_file(OwnFile* own) { own_ = context_.own = own; }
    /// Lessons are read in place of the toolbar and the panes.
    void set_lessons(LessonPage* lessons) { lessons_ = context_.lessons = lessons; }
    /// Of the window: the kernel, its file and the program.
    std::string title() const;
    /// What it is working on, for the next start; and what an earlier one was working on, as far as it is
    /// still there: what is not becomes a notice.
    SavedSession saved() const;
    void restore(const SavedSession& saved);
    /// The window is about to close: true if it may; else the frame asks what to do with unsaved changes.
    bool may_close();

    const SeenView& seen() const { return picture_; }
    /// As it was in the last frame.
    const ProgramListState& program() const { return program_; }
    /// See View::add_wishes; a view that was never drawn has nothing to add.
    void describe_view(std::string_view name, Selection& selection) const;

    FrameState state;
    FileDialogs dialogs;
    SettingHistory history;

  private:
    void follow_kernel();
    void draw_workplace(const Theme& theme);
    void draw_lesson(const Theme& theme);
    void carry_out(const Commands& commands);
    void follow_view();
    void draw_panes(const Theme& theme, const Box& area);
    void draw_pane(const Theme& theme, ViewPlace place, const Box& area);
    void draw_view(const Theme& theme, const ViewEntry& entry, bool interactive = true);
    bool draw_editor(const Theme& theme, const Box& area);
    bool draw_launch_form(const Theme& theme, const Box& area);
    void open_best_view();
    void expire_notice();
    void play();
    const FailedSource* failed_source() const { return failed_.lines.empty() ? nullptr : &failed_; }
    void follow_failure();
    void take_view_keys();
    void poll_own_file();
    void take_keys();
    void take_finding_keys();
    void step_view(int by);
    void take_pane_keys();
    void take_arrows();
    void select_next_line(int direction);
    void focus_pane(Pane pane);
    void scroll_focused(Pane pane, float row) const;
    void mark_focus(const Theme& theme) const;

    Session& session_;
    Layout& layout_;
    CommandContext context_;
    Palette palette_;
    TextUnderMouse under_mouse_;
    Commands commands_;
    OwnFile* own_ = nullptr;
    ProgramListState program_;  // the list of its program\'s kernels
    LessonPage* lessons_ = nullptr;
    EditorPane editor_;
    PlayHead play_;
    Level drawn_level_ = Level::machine;
    FailedSource failed_;
    std::string failed_with_;      // the failure that `failed_` is of
    std::uint64_t asked_for_ = 0;  // Session::opened() of the file whose text was shown with its form
    std::map<std::string, std::unique_ptr<View>, std::less<>> views_;  // made when first drawn
    std::uint64_t followed_ = 0;                                       // Session::opened()
    bool follows_own_ = false;                                         // it was the own file
    // The view in the centre as of the last frame, with the kernel, the Scene and the selection it was shown
    // with.
    std::string shown_view_;
    std::uint64_t view_kernel_ = 0, view_scene_ = 0, view_timing_ = 0;
    Spot shown_with_view_;
    bool unselected_ = true;        // nothing was selected since
    std::uint64_t noticed_ = 0;     // generation of the Scene whose notice was shown
    std::uint64_t best_for_ = 0;    // Session::opened() whose best view was opened
    std::string view_when_opened_;  // in the centre
    bool keeps_view_ = false;   // the next kernel that opens is the restored file: its view was restored, too
    std::string timed_notice_;  // the notice that leaves at `notice_ends_`
    double notice_ends_ = 0;
    SeenView picture_;
    std::map<Pane, Box> panes_;  // on screen, as of the last frame
};

}  // namespace warplens::app
