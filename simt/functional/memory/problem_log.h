// ProblemLog: problems merged by kind and site, the first of each kept whole, the others counted.
#pragma once

#include <vector>

#include "core/problem.h"

namespace warplens::simt {

class ProblemLog {
  public:
    explicit ProblemLog(std::uint32_t limit) : limit_(limit) {}

    /// Counts another `times` of a known problem; false when the pair is new.
    bool again(ProblemKind kind, SiteId site, std::uint64_t times);
    /// Adds a new pair, or counts it when known. Pairs past the limit are dropped.
    void add(Problem problem);
    /// Adds all of another log, whose blocks come behind this one's.
    void append(std::vector<Problem>&& problems);

    const std::vector<Problem>& problems() const { return problems_; }
    std::vector<Problem> take();

  private:
    std::uint32_t limit_;
    std::vector<Problem> problems_;
};

}  // namespace warplens::simt
