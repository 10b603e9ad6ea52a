// Answers: the computed truth of a lesson's question, and the reply to a student's answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/lesson_numbers.h"

namespace warplens::app {

struct Truth {
    std::optional<double> number;      // of numbers, and of choices between numbers
    std::uint32_t line = 0;            // of a question for a line
    std::vector<std::string> options;  // of a choice, as they are shown
    std::size_t right_option = 0;
    std::string words;  // "32 wavefronts", "line 54", or the right option
};

/// The error says what cannot be computed, or that not exactly one option is right.
Result<Truth> truth_of(const Lesson& lesson, const LessonQuestion& question, LessonNumbers& numbers);

/// The student's answer: a number, the index of an option, or a line of the source.
struct Answer {
    double number = 0;
    std::size_t option = 0;
    std::uint32_t line = 0;
};

/// "64", "1,024 threads", " 12.5% ": the number that was typed.
Result<double> parse_answer(std::string_view text);

struct Verdict {
    bool right = false;
    std::string explanation;  // Markdown
};
Result<Verdict> judge(const Lesson& lesson, const LessonQuestion& question, const Truth& truth,
                      const Answer& answer, LessonNumbers& numbers);

/// Prose with its numbers in it, of the run `run_name`.
Result<std::string> filled(const Lesson& lesson, const std::string& run_name, const LessonText& prose,
                           LessonNumbers& numbers);

}  // namespace warplens::app
