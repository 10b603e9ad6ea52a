#include "simt/functional/memory/problem_log.h"

#include <algorithm>
#include <utility>

namespace warplens::simt {

Problem* ProblemLog::find(ProblemKind kind, SiteId site) {
    const auto at = std::ranges::find_if(
        problems_, [&](const Problem& problem) { return problem.kind == kind && problem.site == site; });
    return at == problems_.end() ? nullptr : &*at;
}

bool ProblemLog::again(ProblemKind kind, SiteId site, std::uint64_t times, Reach reach) {
    Problem* known = find(kind, site);
    if (known == nullptr) return problems_.size() >= limit_;
    if (known->reach < reach) return false;
    known->count += times;
    return true;
}

void ProblemLog::add(Problem problem) {
    if (Problem* known = find(problem.kind, problem.site)) merge(*known, problem);
    else if (problems_.size() < limit_) problems_.push_back(std::move(problem));
}

void ProblemLog::append(std::vector<Problem>&& problems) {
    for (Problem& problem : problems) add(std::move(problem));
}

std::vector<Problem> ProblemLog::take() { return std::exchange(problems_, {}); }

}  // namespace warplens::simt
