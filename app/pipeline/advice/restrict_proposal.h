// Restrict proposal: `__restrict__` at the pointers of a kernel's parameters. Without it the compiler must
// take a store for one to what the next load reads, and keeps them in order: each load then waits for its
// own. It is right where no two of the arrays overlap; a launch that passes one array twice gets no proposal.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"

namespace warplens::app {

/// The lines of the definition of `__global__ … entry(…)` with `__restrict__` at each pointer that lacks it.
/// `entry`: its plain name. Empty: the source has no such definition, fewer than two pointers, or none that
/// lacks it.
std::vector<Edit> restrict_edits(const std::string& source, std::string_view entry);

std::optional<Proposal> proposed_restrict(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                          const std::map<std::string, std::string>& overrides,
                                          const Program& program);

}  // namespace warplens::app
