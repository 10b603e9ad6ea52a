// Lesson sections: a lesson's file cut into its header, and steps of prose with fenced blocks. What the
// blocks say is read by app/lesson/lesson_parser.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warplens::app {

/// ```question … ```
struct FencedBlock {
    std::string kind;  // "picture", "question" or "notes"
    std::string text;  // TOML, of notes Markdown
    int line = 0;      // of the first line inside
};

struct LessonSection {
    std::string heading;  // empty for the part before the first
    std::string prose;
    int line = 0;        // of the heading
    int prose_line = 0;  // of the first line of prose
    std::vector<FencedBlock> blocks;
};

struct LessonSections {
    std::string header;  // TOML between the lines +++
    int header_line = 0;
    std::vector<LessonSection> sections;
};

Result<LessonSections> cut_lesson(std::string_view text, const std::string& path);

}  // namespace warplens::app
