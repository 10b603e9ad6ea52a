#include "app/lesson/lesson_folder.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "app/lesson/lesson_parser.h"
#include "core/read_file.h"

namespace warplens::app {

namespace fs = std::filesystem;

Result<Lesson> load_lesson(const std::string& path) {
    constexpr std::uint64_t largest = 1 << 20;  // bytes
    WARPLENS_TRY(const auto text, read_file(path, largest));
    return parse_lesson(text, path);
}

Result<std::vector<LessonFile>> lesson_files(const std::string& folder) {
    std::error_code error;
    std::vector<LessonFile> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".md") continue;
        const std::string path = entry.path().string();
        files.push_back({path, load_lesson(path).map([](Lesson lesson) {
                             return std::make_shared<const Lesson>(std::move(lesson));
                         })});
    }
    if (error) return fail("the lessons' folder `{}` cannot be read: {}", folder, error.message());
    std::ranges::sort(files, {}, [](const LessonFile& file) {
        return file.lesson ? std::tuple(0, (*file.lesson)->order, (*file.lesson)->name)
                           : std::tuple(1, std::int64_t{0}, file.path);
    });
    return files;
}

Result<std::vector<Lesson>> read_lessons(const std::string& folder) {
    WARPLENS_TRY(const auto files, lesson_files(folder));
    std::vector<Lesson> lessons;
    for (const LessonFile& file : files) {
        if (!file.lesson) return tl::unexpected(file.lesson.error());
        lessons.push_back(**file.lesson);
    }
    return lessons;
}

}  // namespace warplens::app
