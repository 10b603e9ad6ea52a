// ProblemKind in words: "shared race" of `shared_race`.
#pragma once

#include <algorithm>
#include <string>

#include "core/problem.h"

namespace warplens::app {

inline std::string kind_words(ProblemKind kind) {
    std::string words(to_string(kind));
    std::ranges::replace(words, '_', ' ');
    return words;
}

}  // namespace warplens::app
