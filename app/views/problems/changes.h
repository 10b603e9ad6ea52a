// The problems of two runs: which of the baseline's are solved, and which of the current run's are new.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "core/problem.h"

namespace warplens::app {

struct ProblemChanges {
    std::vector<const Problem*> solved;  // of the baseline's report
    std::vector<bool> is_new;            // of each problem of the current report
    std::size_t new_count() const;
    std::size_t kept_count() const { return is_new.size() - new_count(); }
};

/// Two problems are the same if kind and line are, where the line may have moved by an edit of the file.
ProblemChanges problem_changes(const Scene& before, const Scene& after);

/// "1 solved, 2 new, 1 remains".
std::string change_words(const ProblemChanges& changes);

}  // namespace warplens::app
