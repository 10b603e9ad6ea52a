#include "app/lesson/lesson_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

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

Result<std::vector<Lesson>> read_lessons(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".md") paths.push_back(entry.path().string());
    if (error) return fail("the lessons' folder `{}` cannot be read: {}", folder, error.message());
    std::vector<Lesson> lessons;
    for (const std::string& path : paths) {
        auto lesson = load_lesson(path);
        if (!lesson) return tl::unexpected(lesson.error());
        lessons.push_back(std::move(*lesson));
    }
    std::ranges::sort(lessons, [](const Lesson& a, const Lesson& b) {
        return a.order != b.order ? a.order < b.order : a.name < b.name;
    });
    return lessons;
}

}  // namespace warplens::app
