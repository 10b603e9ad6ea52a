// Code proposals: other code for a kernel that computes the same. Each line of a list is one kind of change;
// none has been run yet.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// What an expert would rewrite: each is there only where the code has the shape that it repairs.
std::vector<Proposal> proposed_rewrites(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                        const std::map<std::string, std::string>& overrides,
                                        const Scene& now);

/// What lets the compiler do better, whatever the code does.
std::vector<Proposal> proposed_hints(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                     const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
