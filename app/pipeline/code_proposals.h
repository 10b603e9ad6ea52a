// Code proposals: other code for a kernel that computes the same, most promising first. Each line of the list
// is one kind of change; none has been run yet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

std::vector<Proposal> proposed_code(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
