// Launch bounds proposal: `__launch_bounds__` for a kernel whose registers limit its resident blocks. The
// assembler then uses fewer of them, or keeps some in local memory: only a trial shows which is faster.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The line of the kernel's name with `__launch_bounds__(threads, blocks)` before it. Empty: the source has
/// no such definition, or it has bounds already. `entry`: its plain name.
std::vector<Edit> launch_bounds_edits(const std::string& source, std::string_view entry, int threads,
                                      int blocks);

/// For one block more per SM, and for as many as everything else allows.
std::vector<Proposal> proposed_launch_bounds(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                             const std::map<std::string, std::string>& overrides,
                                             const Scene& now);

}  // namespace warplens::app
