// Question parser: the TOML of a lesson's header and blocks as runs, pictures and questions. The file around
// them is app/lesson/lesson_parser.h's.
#pragma once

#include <string>

#include "app/lesson/lesson.h"
#include "instrumentation/catalog/header_fields.h"

namespace warplens::app {

class LessonFields : public instrumentation::HeaderFields {
  public:
    using HeaderFields::HeaderFields;

    /// Adds what the node says to `run`.
    Status read_run(const instrumentation::HeaderNode& node, LessonRun& run);
    /// `line`: where the block begins.
    Result<LessonPicture> picture(const instrumentation::HeaderNode& node, int line) const;
    Result<LessonQuestion> question(const instrumentation::HeaderNode& node, int line);
    Status as_expression(const instrumentation::HeaderNode& node, const std::string& what, LessonText& into);

  private:
    Status read_prose(const instrumentation::HeaderNode& node, const char* key, LessonText& into) const;
    Status read_truth(const instrumentation::HeaderNode& node, LessonQuestion& question);
    Status read_answers(const instrumentation::HeaderNode& node, LessonQuestion& question);
    Result<LessonOption> option(const instrumentation::HeaderNode& node);
    Status read_options(const instrumentation::HeaderNode& node, const char* key,
                        std::vector<LessonOption>& into);
    Status check_form(const instrumentation::HeaderNode& node, const LessonQuestion& question) const;
};

}  // namespace warplens::app
