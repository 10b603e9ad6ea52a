// Root proposal: `x * rsqrtf(y)` in place of `x / sqrtf(y)`, which takes a root and a division, each with
// steps that round to the last bit.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "core/program.h"

namespace warplens::app {

/// The lines of the kernel with it. Empty: it divides by no root.
std::vector<Edit> root_edits(const std::string& source, std::string_view entry);

std::optional<Proposal> proposed_roots(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                       const std::map<std::string, std::string>& overrides,
                                       const Program& program);

}  // namespace warplens::app
