// Unroll proposal: `#pragma unroll` before a loop that loads from global memory. Unrolled, the loads of
// several iterations can be in flight at once, where each iteration would wait for its own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The line of each line's innermost loop in the kernel, 1-based and in the same order, each once. Left out:
/// lines in no loop, loops that begin behind other code on their line, and those with an unroll pragma.
/// `entry`: the kernel's plain name.
std::vector<std::uint32_t> loops_of(const std::string& source, std::string_view entry,
                                    const std::vector<std::uint32_t>& lines);

/// Of the loops with most global loads.
std::vector<Proposal> proposed_unrolls(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                       const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
