#include "app/lesson/lesson_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include "app/lesson/lesson_parser.h"

namespace warplens::app {

namespace fs = std::filesystem;

Result<Lesson> load_lesson(const std::string& path) {
    constexpr std::uintmax_t largest = 1 << 20;  // bytes
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return fail("{}: there is no such file", path);
    if (fs::file_size(path, error) > largest) return fail("{}: a lesson has at most {} bytes", path, largest);
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("{}: cannot be read", path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
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
