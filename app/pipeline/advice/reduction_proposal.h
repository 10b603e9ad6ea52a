// Reduction proposal: a sum, a maximum or the like in shared memory whose steps halve (tree_loop.h). Its
// lanes add neighbours first: halves first instead, so that whole warps leave. And its last steps, which one
// warp takes while the others wait at barriers, by shuffles. Both for blocks of a power of two threads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The lines of all such loops of the kernel, with halves first. Empty: it has none, or nothing to change.
/// `entry`: its plain name.
std::vector<Edit> reduction_edits(const std::string& source, std::string_view entry, bool by_shuffles);

std::vector<Proposal> proposed_reductions(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Scene& now);

}  // namespace warplens::app
