// Row work: what a kernel does with a row that each of its threads has for itself, as text: loops along the
// row that add up, find the largest, or store elements, and what stands between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/advice/global_index.h"
#include "app/pipeline/advice/kernel_definition.h"
#include "app/pipeline/advice/token_pattern.h"

namespace warplens::app {

/// A number that a loop makes of all elements.
struct RowTotal {
    enum class Kind : std::uint8_t { sum, largest, smallest } kind = Kind::sum;
    TokenRange name;
};

/// `for (int j = start; j < …; step)` whose passes may run in any order.
struct RowLoop {
    std::size_t begin = 0, end = 0;  // from `for` to after its last token
    TokenRange variable, start, step;
    std::vector<RowTotal> totals;
};

struct RowWork {
    std::vector<RowLoop> loops;
    std::vector<TokenRange> stores;  // outside of loops: one thread of the row's stores
};

/// Nothing where there is no loop, or where something else is done. `row`: where the kernel names its row.
std::optional<RowWork> row_work(const KernelDefinition& kernel, const GlobalIndex& row);

}  // namespace warplens::app
