// Lesson folder: the lessons that come with the program, and lessons of a teacher's own.
#pragma once

#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

Result<Lesson> load_lesson(const std::string& path);
/// All .md files of the folder, by `order`, then by name. A lesson that cannot be read is an error.
Result<std::vector<Lesson>> read_lessons(const std::string& folder);

}  // namespace warplens::app
