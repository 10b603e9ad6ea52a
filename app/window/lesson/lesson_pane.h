// LessonPane: the words of the open step and its question: prose, possible answers, and the verdict. It keeps
// input that has not been submitted; app/lesson/lesson_reading.h keeps the answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/lesson/lesson_reading.h"
#include "app/window/lesson/lesson_type.h"

namespace warplens::app {

class LessonPane {
  public:
    /// The step is another one: what was chosen is forgotten.
    void begin_step();
    /// Fills the content region. Without a student nothing can be answered. `notes`: the teacher's, too.
    void draw(const Theme& theme, const LessonType& type, LessonReading& reading, bool presenting,
              bool notes);

    /// Submits the answer, or says what is missing.
    void hand_in(LessonReading& reading);
    void choose(const LessonReading& reading, std::size_t option);
    /// The option after or before the one that is chosen.
    void choose_next(const LessonReading& reading, int direction);

    std::uint32_t line = 0;  // chosen in the code

  private:
    void question(const Theme& theme, const LessonType& type, LessonReading& reading, bool presenting);
    void options(const Theme& theme, const LessonType& type, LessonReading& reading, bool presenting);
    void option(const Theme& theme, const LessonType& type, LessonReading& reading, std::size_t index,
                bool presenting);
    void entry(const Theme& theme, const LessonType& type, LessonReading& reading);
    void verdict(const Theme& theme, const LessonType& type, const LessonReading& reading, bool presenting);

    std::string typed_;
    std::optional<std::size_t> option_;
    std::string complaint_;
    bool focus_ = true;  // the field takes the keyboard
};

}  // namespace warplens::app
