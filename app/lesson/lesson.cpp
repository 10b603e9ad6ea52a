#include "app/lesson/lesson.h"

#include <algorithm>

namespace warplens::app {

const LessonRun* Lesson::run(const std::string& run_name) const {
    const auto found = std::ranges::find(runs, run_name, &LessonRun::name);
    return found == runs.end() ? nullptr : &*found;
}

std::size_t Lesson::questions() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(steps, [](const LessonStep& step) { return step.question.has_value(); }));
}

}  // namespace warplens::app
