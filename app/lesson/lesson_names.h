// Lesson names: what a name in a lesson's expression means — a metric or fact of which run — and the check
// that every name of a lesson means something. No number is computed here: see app/lesson/lesson_numbers.h.
#pragma once

#include <string>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace warplens::app {

struct NumberName {
    const LessonRun* run;
    std::string number;  // a metric, a fact, or "knob.TILE"
};

/// Whether metrics or facts begin with this word, so that no run may be called so.
bool is_number_group(const std::string& word);

/// "tiled.global_load.requests", or "global_load.requests" of `run`. The error suggests the nearest name.
Result<NumberName> resolve_name(const Lesson& lesson, const LessonRun& run, const std::string& name);

/// The error names the first expression with a name that means nothing, its file and its line.
Status check_names(const Lesson& lesson);

}  // namespace warplens::app
