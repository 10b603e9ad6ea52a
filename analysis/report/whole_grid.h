// Whole grid: counts of a grid of which only some blocks were executed, inferred: if those all have the same
// counts, the others are taken to have them, too. Blocks that differ, at the edge of the data for example,
// should be among the executed ones; nothing is inferred then, but estimated. Times are not inferred: see
// analysis/warps/waves.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

/// Whether some blocks were left out, and those executed are alike.
bool infers_whole_grid(const LaunchReport& report);
/// A sum over the executed blocks as one over the grid. Exact where the grid was executed whole. The error
/// says why it cannot be inferred.
Result<std::uint64_t> over_whole_grid(const LaunchReport& report, std::uint64_t sum);

/// A sum over the executed blocks, scaled to the grid: an estimate. The last block, whose part is `of_last`,
/// stands for itself alone (LaunchReport::last_block), the others for the rest of the grid.
double scaled_to_grid(const LaunchReport& report, double sum, double of_last);

/// "8,192 requests of global loads, 32,768 sectors, 1,048,576 bytes used", of each kind that was made.
std::vector<std::string> whole_grid_words(const LaunchReport& report);

}  // namespace warplens::analysis
