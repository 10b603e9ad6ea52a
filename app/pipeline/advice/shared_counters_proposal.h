// Shared counters proposal: a kernel that adds to few global counters, `atomicAdd(&bins[x], 1)`, adds to the
// block's own in shared memory, and each block adds those to the global ones once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/counted_additions.h"
#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The lines of the kernel with counters of each block's own. `count`: how many there are; `threads_in_rows`:
/// the block has a y. Empty: the kernel's text does not allow it, such as by a `return` in a loop.
std::vector<Edit> shared_counters_edits(const std::string& source, std::string_view entry,
                                        const GlobalCounters& counters, std::uint64_t count,
                                        bool threads_in_rows);

std::optional<Proposal> proposed_shared_counters(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
