#include "app/command_line/named_lesson.h"

#include <utility>

#include "app/command_line/commands.h"
#include "app/lesson/lesson_folder.h"
#include "instrumentation/catalog/catalogue.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {

Result<std::vector<Lesson>> own_lessons() {
    WARPLENS_TRY(const auto folders, instrumentation::installed_folders());
    return read_lessons(folders.lessons);
}

Result<Lesson> lesson_named(const std::string& name) {
    if (name.ends_with(".md")) return load_lesson(name);
    WARPLENS_TRY(auto lessons, own_lessons());
    std::vector<std::string> names;
    for (Lesson& lesson : lessons) {
        if (lesson.name == name) return std::move(lesson);
        names.push_back(lesson.name);
    }
    return fail("there is no lesson `{}`{} (`warplens lesson list` shows all {}; a file's name ends in .md)",
                name, instrumentation::did_you_mean(name, names), names.size());
}

Status check_lesson_and_step(const std::string& lesson, std::size_t step) {
    if (lesson.empty()) return {};
    WARPLENS_TRY(const auto found, lesson_named(lesson));
    if (step > found.steps.size())
        return fail("--step {}: {} has steps 1 to {}", step, found.name, found.steps.size());
    return {};
}

}  // namespace warplens::app
