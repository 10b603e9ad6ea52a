// Constant step proposal: a loop of a block's threads, `i += blockDim.x`, steps by the number that it is. The
// compiler then knows how often the loop runs, and issues the loads of several passes together.
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

/// The lines whose loops step by a side of the block, with its number. Empty: there are none.
std::vector<Edit> constant_step_edits(const std::string& source, std::string_view entry, Dim3 block);

std::optional<Proposal> proposed_constant_steps(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
