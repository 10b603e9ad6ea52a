// Row warp proposal: a warp for each row in place of a thread, where each thread adds up, looks for the
// largest or copies along a row, as of a matrix or a table: the lanes then access neighbours of one row, and
// what they found is combined by shuffles. The host code launches as many times more threads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/find_entries.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The lines of the kernel and of its launches; `lanes` of a warp share a row. Empty: the kernel has no such
/// loop, or does more with a row.
std::vector<Edit> row_warp_edits(const std::string& source, std::string_view entry, int lanes);

/// Of requests to global memory that take more sectors than they need, where the host code's launch follows.
std::vector<Proposal> proposed_row_warps(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
