// Regressions: the metrics of a comparison that got worse by more than a project allows. `check --versus`
// uses it.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/comparison.h"
#include "core/result.h"

namespace warplens::analysis {

/// The allowed increase of the cost in percent.
struct WorseLimit {
    const Metric* metric = nullptr;  // null: every metric with a better direction that is not a breakdown
    double percent = 0;
};

/// "2%" or "schedule.cycles=2%".
Result<WorseLimit> parse_worse_limit(std::string_view text);

struct Regression {
    const Metric* metric = nullptr;
    std::string
        sentence;  // "shared_load.wavefronts got worse by 3,100 %: 32,768 in main.json, 1,048,576 now; …"
};

/// A limit of a metric's own goes before the general one, and judges that number alone. A metric that is
/// limited by name and cannot be compared is a regression too: a limit without a value checks nothing.
std::vector<Regression> regressions(const Comparison& comparison, const std::vector<WorseLimit>& limits);

/// Why the runs cannot be compared: another kernel, GPU, source of the counts or share of the grid.
Status check_same_basis(const RunFacts& before, const RunFacts& after);

}  // namespace warplens::analysis
