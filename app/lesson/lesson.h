// Lesson: a file of lessons/ as plain data. Steps of prose, each with a picture and a question where it has
// them. Truths are expressions over what launches do (app/lesson/expression.h); none is a number that an
// author typed. docs/lesson_format.md describes the file; read app/lesson/lesson_parser.h next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/requested_selection.h"

namespace warplens::app {

/// Prose or an expression, and its line in the file.
struct LessonText {
    std::string text;
    int line = 0;
};

/// One launch that a lesson measures or shows.
struct LessonRun {
    std::string name;  // "main": the one of the header
    std::string kernel;
    std::map<std::string, std::string> set;
    std::string gpu;     // empty: the default
    std::string engine;  // empty or "simt": the CPU engine; "recorded": the recording of an H200
    std::string at;      // part of one source line: metrics are of that line alone; empty: of the launch
    /// Only these blocks are executed, of a grid that is too large; empty: all. Numbers are sums over them.
    std::vector<std::uint64_t> blocks;
    /// The thread whose access at that line is looked at: linear block, thread of the block.
    std::optional<std::uint64_t> block, thread;
    int line = 0;      // of its kernel, or where the run begins
    int set_line = 0;  // of its knobs
};

struct LessonPicture {
    std::string run = "main";
    std::string view;
    std::string at;  // part of the source line to select
    SpotRequest select;
    int line = 0;
};

enum class QuestionKind { number, choice, line };

/// What a student may answer, and what is said to it.
struct LessonOption {
    LessonText text;  // empty: the value of `is`
    LessonText is;    // a number that is compared with the truth
    LessonText when;  // or a condition under which the option is right
    LessonText says;  // instead of the question's own `wrong`
    std::string at;   // of a question for a line: part of the line meant
};

struct LessonQuestion {
    QuestionKind kind = QuestionKind::number;
    LessonText ask;
    std::string run = "main";  // metrics without a run's name are of this one
    LessonText truth;          // an expression; for a line the metric whose worst line is meant
    std::string unit;
    double tolerance = 0;  // of a number: share of the truth
    LessonText right, wrong;
    std::vector<LessonOption> options;    // of a choice
    std::vector<LessonOption> mistakes;   // of a number or a line: answers with an explanation of their own
    std::optional<LessonPicture> reveal;  // shown with the answer
    int line = 0;
};

struct LessonStep {
    std::string title;  // empty for the part before the first heading
    LessonText prose;   // Markdown
    LessonText notes;   // Markdown for the teacher; students do not see it
    std::optional<LessonPicture> picture;
    std::optional<LessonQuestion> question;
    int line = 0;
};

struct Lesson {
    std::string name;  // the file's, without .md
    std::string path;
    std::string title, subject, about;
    std::int64_t order = 0;                    // among all lessons
    std::vector<LessonRun> runs;               // "main" first
    std::map<std::string, LessonText> values;  // named expressions
    std::vector<LessonStep> steps;

    const LessonRun* run(const std::string& run_name) const;
    std::size_t questions() const;
};

}  // namespace warplens::app
