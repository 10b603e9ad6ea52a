// Warp sum proposal: additions of all threads to one number in global memory, which L2 does one after
// another: each thread keeps a sum of its own, a warp adds its lanes' sums by shuffles, and one lane of it,
// or one thread of the block, adds the result.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/counted_additions.h"
#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// `per_block`: the warps' sums meet in shared memory. Empty: the kernel's text does not allow it.
std::vector<Edit> warp_sum_edits(const std::string& source, std::string_view entry,
                                 const GlobalCounters& counter, bool per_block);

/// Of a buffer of one element, in blocks of whole warps.
std::vector<Proposal> proposed_warp_sums(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now);

}  // namespace warplens::app
