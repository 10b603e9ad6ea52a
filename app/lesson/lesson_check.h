// Lesson check: computes every answer of a lesson and every number in its prose, so that a build server, not
// a student, finds a lesson that no longer fits the kernels.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/lesson_numbers.h"

namespace warplens::app {

struct CheckedQuestion {
    std::string step;
    std::string ask;
    std::string truth;  // in words
};

struct LessonCheck {
    std::vector<CheckedQuestion> questions;  // whose answer was computed
    std::vector<std::string> faults;         // "lessons/banks.md:17: …"
    bool held() const { return faults.empty(); }
};

/// Whether a picture can be drawn; the error says why not. The caller knows the views; lessons do not.
using TryPicture = std::function<Status(const Lesson& lesson, const LessonPicture& picture)>;

LessonCheck check_lesson(const Lesson& lesson, LessonNumbers& numbers, const TryPicture& try_picture);

}  // namespace warplens::app
