#include "simt/functional/memory/problem_log.h"

#include <utility>

namespace warplens::simt {

bool ProblemLog::again(ProblemKind kind, SiteId site, std::uint64_t times) {
    for (Problem& problem : problems_) {
        if (problem.kind != kind || problem.site != site) continue;
        problem.count += times;
        return true;
    }
    return problems_.size() >= limit_;
}

void ProblemLog::add(Problem problem) {
    if (!again(problem.kind, problem.site, problem.count)) problems_.push_back(std::move(problem));
}

void ProblemLog::append(std::vector<Problem>&& problems) {
    for (Problem& problem : problems) add(std::move(problem));
}

std::vector<Problem> ProblemLog::take() { return std::exchange(problems_, {}); }

}  // namespace warplens::simt
