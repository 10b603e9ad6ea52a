#include "app/views/shared/problem_words.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/ui/number.h"

namespace warplens::app {

std::string kind_and_place(const Problem& problem) {
    std::string words = kind_words(problem.kind);
    if (!problem.child.empty()) words += fmt::format(" in child `{}`", problem.child);
    const std::uint32_t other = problem.other ? problem.other->line : 0;
    if (problem.line != 0 && other != 0 && other != problem.line)
        return words + fmt::format(" between lines {} and {}", std::min(problem.line, other),
                                   std::max(problem.line, other));
    if (problem.line != 0) words += fmt::format(" at line {}", problem.line);
    return words;
}

/// Messages about one thread omit their subject, which a list shows next to them.
std::string problem_sentence(const Problem& problem) {
    switch (problem.kind) {
        case ProblemKind::out_of_bounds:
        case ProblemKind::misaligned:
        case ProblemKind::uninitialised_read:
        case ProblemKind::shared_race:
        case ProblemKind::global_race:
        case ProblemKind::division_by_zero:
            return "The thread " + problem.message + ".";
        default:
            break;
    }
    std::string words = problem.message;
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words + ".";
}

std::string problems_title(const Scene& scene) {
    const auto& problems = scene.report->problems;
    std::string words =
        fmt::format("`{}`: {}", scene.report->launch.kernel, kind_and_place(problems.front()));
    std::size_t listed = 1;
    // Naming another kind is more informative than the number of further problems.
    const auto other = std::ranges::find_if(
        problems, [&](const Problem& problem) { return problem.kind != problems.front().kind; });
    if (other != problems.end()) {
        words += (problems.size() == 2 ? " and " : ", ") + kind_and_place(*other);
        ++listed;
    }
    if (problems.size() > listed)
        words += fmt::format(", and {} more", counted(problems.size() - listed, "problem"));
    return words;
}

}  // namespace warplens::app
