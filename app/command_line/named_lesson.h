// Lessons as the command line and the window are asked for them: by a file or by a name.
#pragma once

#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

/// Those that come with the program.
Result<std::vector<Lesson>> own_lessons();

/// A file, or the name of a lesson that comes with the program.
Result<Lesson> lesson_named(const std::string& name);

}  // namespace warplens::app
