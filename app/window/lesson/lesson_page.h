// LessonPage: lessons in the window. The list of lessons or an open lesson takes the place of toolbar and
// panes: words and question on the left, picture or code on the right. While a person explores a step's run,
// the window is the usual one with a strip that leads back. For a lecture it is set in large type, takes no
// answers and shows each truth on a key press. Its parts are the other files of this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/lesson_folder.h"
#include "app/lesson/lesson_reading.h"
#include "app/session/session.h"
#include "app/window/frame_state.h"
#include "app/window/lesson/lesson_pane.h"
#include "app/window/lesson/lesson_stage.h"

namespace warplens::app {

struct LessonMeans {
    std::shared_ptr<LessonNumbers> numbers;  // null: lessons can be listed alone
    std::vector<LessonFile> files;
    std::string no_files;  // why there are none
    std::string progress_path;
    std::function<void()> wake;
};

class LessonPage {
  public:
    LessonPage(Session& session, LessonMeans means);

    void show_list();
    /// A lesson of the list by its name, or a file. What cannot be opened is said on the list.
    void open(const std::string& name);
    void open(std::shared_ptr<const Lesson> lesson);
    const std::vector<LessonFile>& files() const { return means_.files; }
    /// The lesson to begin with; null: there is none.
    std::shared_ptr<const Lesson> first() const;
    void close();
    void present(bool presenting);
    /// Of the open lesson, from 0; none where there is no such step.
    void go_to(std::size_t step);
    /// Shows the usual window with this step's run; returns the view to open there.
    std::string explore();
    void come_back();

    bool fills_window() const { return shown_ == Shown::list || shown_ == Shown::lesson; }
    bool exploring() const { return shown_ == Shown::exploring; }
    bool presenting() const { return presenting_ && fills_window(); }
    /// What the open step shows is still being computed.
    bool busy() const;
    /// The question of the open step has been answered, or there is none: everything may be seen.
    bool may_explore() const;

    LessonReading& reading() { return reading_; }

    /// Over the content region, in place of toolbar and panes. Returns a view to open in the usual window.
    std::string draw(const Theme& theme, FrameState& state, const LessonStage::DrawView& draw_view);
    /// Under the toolbar while exploring; returns the height that it took.
    float strip(const Theme& theme);
    /// Once a frame, drawn or not.
    bool poll() { return reading_.poll(); }

  private:
    enum class Shown { nothing, list, lesson, exploring };

    void take_keys();
    void advance();
    std::string header(const Theme& theme, FrameState& state);
    void steps(const Theme& theme, float right);
    void footer(const Theme& theme);
    void draw_lesson(const Theme& theme, const LessonStage::DrawView& draw_view);

    Session& session_;
    LessonMeans means_;
    LessonReading reading_;
    LessonStage stage_;
    LessonPane pane_;
    Shown shown_ = Shown::nothing;
    bool presenting_ = false;
    bool notes_shown_ = false;   // the teacher's, while presenting
    bool verdict_seen_ = false;  // of the open step, in the last frame
    std::string fault_;
    std::string own_path_;  // of a lesson that is not of the list, to read it again
};

}  // namespace warplens::app
