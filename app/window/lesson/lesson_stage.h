// LessonStage: the area next to a lesson's words: the picture of the open step, or the code it is about. It
// sets the session's kernel, knobs and selection. Before a question is answered it shows only the picture
// that the author put before it: no costs, no other view.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "app/lesson/lesson_reading.h"
#include "app/lesson/own_kernels.h"
#include "app/session/session.h"
#include "app/views/source/code_pane.h"
#include "app/window/lesson/lesson_type.h"

namespace warplens::app {

class LessonStage {
  public:
    using DrawView = std::function<void(const char* view, bool interactive)>;

    explicit LessonStage(Session& session) : session_(session) {}

    /// Sets the session for the open step, once for each thing to show.
    void follow(const LessonReading& reading);
    /// The session was used for something else.
    void forget() { followed_ = {}; }

    /// Fills the rest of the content region. `chosen_line` is the student's, of a question for a line.
    void draw(const Theme& theme, const LessonType& type, const LessonReading& reading,
              const DrawView& draw_view, std::uint32_t& chosen_line, bool may_choose);

    /// The picture for the open step; null: the code is shown.
    static const LessonPicture* picture_of(const LessonReading& reading);
    /// Something that will be shown is still being run.
    bool busy() const;

  private:
    struct Followed {
        const Lesson* lesson = nullptr;
        std::size_t step = 0;
        bool revealed = false;
        friend bool operator==(const Followed&, const Followed&) = default;
    };

    void select(const LessonReading& reading);
    void caption(const Theme& theme, const LessonType& type, const LessonReading& reading,
                 const LessonRun& run) const;
    void code(const Theme& theme, const LessonType& type, const LessonReading& reading,
              std::uint32_t& chosen_line, bool may_choose);
    void picture(const Theme& theme, const LessonPicture& picture, const DrawView& draw_view,
                 bool interactive) const;
    std::shared_ptr<const instrumentation::KernelFile> kernel_of(const LessonRun& run) const;

    Session& session_;
    mutable OwnKernels own_;
    Followed followed_;
    std::string fault_;  // why the picture cannot be shown
    std::uint64_t selected_in_ = 0,
                  selected_at_ = 0;  // generations of the Scene in which the picture's spot is chosen
    bool selected_ = false;
    bool code_shown_ = false;  // although there is a picture
    CodePaneState listing_;
};

}  // namespace warplens::app
