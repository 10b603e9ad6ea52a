// A small lesson as text, for the tests of lessons, and the means to compute its numbers.
#pragma once

#include <memory>
#include <string>

#include "app/command_line/target.h"
#include "app/lesson/lesson_numbers.h"

namespace warplens::app {

inline const std::string lesson_head =
    "+++\n"
    "title = \"Strides\"\n"
    "subject = \"Shared-memory banks\"\n"
    "kernel = \"shared_stride\"\n"
    "set = { stride = 2 }\n"
    "[runs.far]\n"
    "set = { stride = 32 }\n"
    "[values]\n"
    "times = \"far.shared_load.wavefronts / main.shared_load.wavefronts\"\n"
    "+++\n";

/// A lesson of one question with these lines.
inline std::string lesson_with(const std::string& question) {
    return lesson_head + "\nProse.\n\n## A question\n\n```question\n" + question + "```\n";
}

inline LessonNumbers make_numbers() {
    return LessonNumbers(make_pipeline(), catalogue().value(), recordings_folder());
}

}  // namespace warplens::app
