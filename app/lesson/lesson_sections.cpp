#include "app/lesson/lesson_sections.h"

namespace warplens::app {
namespace {

/// Lines with their numbers, from 1.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {}
    bool next(std::string_view& line) {
        if (rest_.empty()) return false;
        const auto end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        ++number_;
        return true;
    }
    int number() const { return number_; }

  private:
    std::string_view rest_;
    int number_ = 0;
};

void append_line(std::string& text, std::string_view line) {
    text += line;
    text += '\n';
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of('\n');
    const auto last = text.find_last_not_of('\n');
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// The lines up to the closing fence.
Status read_fence(Lines& lines, std::string& into, const std::string& path) {
    const int opened = lines.number();
    for (std::string_view line; lines.next(line);) {
        if (line.starts_with("```")) return {};
        append_line(into, line);
    }
    return fail("{}:{}: the block that begins here has no closing ```", path, opened);
}

Status read_header(Lines& lines, LessonSections& into, const std::string& path) {
    std::string_view line;
    if (!lines.next(line) || line != "+++")
        return fail("{}:1: a lesson begins with a header of TOML between two lines +++", path);
    into.header_line = lines.number() + 1;
    while (lines.next(line)) {
        if (line == "+++") return {};
        append_line(into.header, line);
    }
    return fail("{}:1: the header has no closing line +++", path);
}

}  // namespace

Result<LessonSections> cut_lesson(std::string_view text, const std::string& path) {
    LessonSections cut;
    Lines lines(text);
    WARPLENS_TRY(read_header(lines, cut, path));
    cut.sections.emplace_back();
    cut.sections.back().line = lines.number() + 1;
    cut.sections.back().prose_line = lines.number() + 1;
    for (std::string_view line; lines.next(line);) {
        LessonSection& section = cut.sections.back();
        if (line.starts_with("## ")) {
            cut.sections.push_back({std::string(line.substr(3)), {}, lines.number(), lines.number() + 1, {}});
        } else if (line == "```picture" || line == "```question" || line == "```notes") {
            FencedBlock block{std::string(line.substr(3)), {}, lines.number() + 1};
            WARPLENS_TRY(read_fence(lines, block.text, path));
            section.blocks.push_back(std::move(block));
        } else if (line.starts_with("```")) {
            append_line(section.prose, line);
            WARPLENS_TRY(read_fence(lines, section.prose, path));
            append_line(section.prose, "```");
        } else if (section.prose.empty() && line.empty()) {
            section.prose_line = lines.number() + 1;
        } else {
            append_line(section.prose, line);
        }
    }
    for (LessonSection& section : cut.sections) section.prose = trimmed(section.prose);
    if (cut.sections.front().prose.empty() && cut.sections.front().blocks.empty())
        cut.sections.erase(cut.sections.begin());
    return cut;
}

}  // namespace warplens::app
