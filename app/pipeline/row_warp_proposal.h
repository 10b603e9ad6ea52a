// Row warp proposal: a warp for each row in place of a thread, where each thread adds up along a row, as of a
// sparse matrix: the lanes then read neighbours of one row, and their sums are added by shuffles. The host
// code launches 32 times as many threads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/find_entries.h"
#include "app/pipeline/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The lines of the kernel and of its launches. Empty: the kernel has no such loop, or does more than add.
std::vector<Edit> row_warp_edits(const std::string& source, std::string_view entry);

/// Of requests to global memory that take more sectors than they need, where the host code's launch follows.
std::optional<Proposal> proposed_row_warps(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                           const std::map<std::string, std::string>& overrides,
                                           const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
