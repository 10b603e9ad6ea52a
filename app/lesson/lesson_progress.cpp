#include "app/lesson/lesson_progress.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/json_text.h"
#include "core/read_file.h"
#include "core/whole_file.h"

namespace warplens::app {

void LessonProgress::set(const Lesson& lesson, const LessonStep& step, bool right) {
    answered[lesson.name][step.title] = right;
}

std::size_t LessonProgress::answered_of(const Lesson& lesson) const {
    const auto found = answered.find(lesson.name);
    if (found == answered.end()) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(lesson.steps, [&](const LessonStep& step) {
        return step.question && found->second.contains(step.title);
    }));
}

bool LessonProgress::finished(const Lesson& lesson) const {
    return answered_of(lesson) == lesson.questions();
}

std::string progress_path() {
    if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
        return std::string(state) + "/warplens/lessons.json";
    if (const char* home = std::getenv("HOME"); home && *home)
        return std::string(home) + "/.local/state/warplens/lessons.json";
    return {};
}

LessonProgress read_progress(std::string_view json) {
    LessonProgress progress;
    const auto tree = parse_json(json);
    if (!tree) return progress;
    for (const auto& [lesson, steps] : tree->members()) {
        if (!steps.is_object()) continue;
        for (const auto& [step, right] : steps.members())
            if (right.is_boolean()) progress.answered[lesson][step] = right.as_bool();
    }
    return progress;
}

std::string to_json(const LessonProgress& progress) { return json_text(Json(progress.answered), 2) + "\n"; }

LessonProgress load_progress(const std::string& path) {
    constexpr std::uint64_t largest = 16u << 20;  // bytes
    const auto text = read_file(path, largest);
    return text ? read_progress(*text) : LessonProgress{};
}

Status save_progress(const LessonProgress& progress, const std::string& path) {
    if (path.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    return write_regular_file(path, to_json(progress));
}

}  // namespace warplens::app
