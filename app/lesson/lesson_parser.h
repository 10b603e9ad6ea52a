// Lesson parser: the text of a lesson's file as a Lesson. It checks the form alone: keys, kinds, names of
// runs and metrics, expressions. Whether kernels exist and answers can be computed is for
// app/lesson/lesson_check.h.
#pragma once

#include <string>
#include <string_view>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

/// Errors read "lessons/banks.md:17: …" and say what would be right.
Result<Lesson> parse_lesson(std::string_view text, const std::string& path);

}  // namespace warplens::app
