// Lesson folder: the lessons that come with the program, and lessons of a teacher's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

Result<Lesson> load_lesson(const std::string& path);

struct LessonFile {
    std::string path;
    Result<std::shared_ptr<const Lesson>> lesson;  // the error says why it cannot be read
};
/// All .md files of the folder: by `order`, then by name; those that cannot be read last.
Result<std::vector<LessonFile>> lesson_files(const std::string& folder);

/// The same where a lesson that cannot be read is an error.
Result<std::vector<Lesson>> read_lessons(const std::string& folder);

}  // namespace warplens::app
