// Handout: a lesson as one HTML file for print or a course page, with its pictures inside and the answers at
// its end. Needs nothing else: no script, no other file. The teacher's edition also has the notes.
#pragma once

#include <functional>
#include <string>

#include "app/lesson/lesson.h"
#include "app/lesson/lesson_numbers.h"

namespace warplens::app {

/// A picture as an SVG document.
using DrawPicture = std::function<Result<std::string>(const Lesson& lesson, const LessonPicture& picture)>;

enum class Edition { student, teacher };

Result<std::string> handout_html(const Lesson& lesson, LessonNumbers& numbers, const DrawPicture& draw,
                                 Edition edition = Edition::student);

}  // namespace warplens::app
