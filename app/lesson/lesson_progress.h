// Lesson progress: which questions a student has answered, and how, kept in a file of the user's state folder
// that is replaced as a whole. A step is known by its heading, so that a lesson may grow.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

struct LessonProgress {
    /// By lesson, then by the step's heading: whether the answer was right.
    std::map<std::string, std::map<std::string, bool>> answered;

    void set(const Lesson& lesson, const LessonStep& step, bool right);
    std::size_t answered_of(const Lesson& lesson) const;
    bool finished(const Lesson& lesson) const;
};

/// $XDG_STATE_HOME/warplens/lessons.json, else ~/.local/state/…; empty where neither is known.
std::string progress_path();
/// A missing or damaged file means no progress.
LessonProgress read_progress(std::string_view json);
std::string to_json(const LessonProgress& progress);
LessonProgress load_progress(const std::string& path);
Status save_progress(const LessonProgress& progress, const std::string& path);

}  // namespace warplens::app
