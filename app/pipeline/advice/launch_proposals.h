// Launch proposals: other grids and blocks for a launch whose file states them as numbers — a grid that fills
// the GPU, and blocks of half and twice the size with as many threads in all; where the host code makes the
// block from a number of the text, another number there (constant_proposals.h). A kernel may depend on its
// launch in any way, so each is only offered if it leaves the same bytes in every buffer (advise.h).
#pragma once

#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/find_entries.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Without a change of the text: none for launches with more than one dimension, with clusters or with
/// cooperative grids, and where a parameter sets the block.
std::vector<Proposal> proposed_launches(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                        const std::map<std::string, std::string>& overrides, const Scene& now,
                                        const FindEntries& find_entries);

}  // namespace warplens::app
