// ProblemLog: problems merged by kind and site. For each pair the first problem is kept, or the first among
// those whose threads are furthest apart; the others are counted.
#pragma once

#include <vector>

#include "core/problem.h"

namespace warplens::simt {

class ProblemLog {
  public:
    explicit ProblemLog(std::uint32_t limit) : limit_(limit) {}

    /// Counts another `times` of a known problem; false if the pair is new or reaches further than known.
    bool again(ProblemKind kind, SiteId site, std::uint64_t times, Reach reach = Reach::none);
    /// Adds a new pair, or merges it with the known one. Pairs past the limit are dropped.
    void add(Problem problem);
    /// Adds all of another log, whose blocks come after this one's.
    void append(std::vector<Problem>&& problems);

    const std::vector<Problem>& problems() const { return problems_; }
    std::vector<Problem> take();

  private:
    Problem* find(ProblemKind kind, SiteId site);

    std::uint32_t limit_;
    std::vector<Problem> problems_;
};

}  // namespace warplens::simt
