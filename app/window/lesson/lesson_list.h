// Lesson list: all lessons with their subjects and the reader's progress, and the files that are not valid
// lessons, with the reason.
#pragma once

#include <string>
#include <vector>

#include "app/lesson/lesson_folder.h"
#include "app/lesson/lesson_progress.h"
#include "app/ui/theme.h"

namespace warplens::app {

struct ListedLessons {
    const std::vector<LessonFile>& files;
    const LessonProgress& progress;
    std::string kernel;  // lessons about it come first; empty: none
    std::string view;    // then those that show this view
    std::string fault;   // why a lesson could not be opened, or why there are none
};

/// Fills the content region. Returns the lesson that was clicked.
std::shared_ptr<const Lesson> lesson_list(const Theme& theme, const ListedLessons& lessons);

/// Whether a run of the lesson is of this kernel.
bool is_about(const Lesson& lesson, const std::string& kernel);
bool shows_view(const Lesson& lesson, const std::string& view);
/// "4 of 7 answered, 3 right"; "7 questions" before the first.
std::string progress_words(const LessonProgress& progress, const Lesson& lesson);

}  // namespace warplens::app
