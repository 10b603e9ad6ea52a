// Proposals: changes of a kernel that are worth trying, most promising first — settings of its parameters
// that the header allows, and the pad that the search for bank fixes found. None has been run yet.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "app/pipeline/same_threads.h"
#include "app/scene/advice.h"

namespace warplens::app {

struct Proposal {
    Change change;
    std::shared_ptr<const instrumentation::KernelFile> kernel;  // with the change of the source in it
    std::map<std::string, std::string> overrides;               // with the setting in it
    std::string untried = {};                                   // why it is not run: a clause; empty: it is
    BlockRatio ratio = {};  // of the blocks of the launch as it is to those that then compute the same
};

/// The kernel with the edits in its source. `summary`: as Change's.
Proposal with_changed_lines(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                            const std::map<std::string, std::string>& overrides, std::vector<Edit> edits,
                            std::string summary);

/// The settings of one parameter other than `now`: those next to it, the ends of its range, and some between.
std::vector<std::string> settings_of(const instrumentation::ParameterDeclaration& parameter,
                                     const std::string& now);

/// Whether the parameter says what is to be computed, not how: buffers or their contents depend on it, or the
/// kernel gets it as an argument and the launch does not depend on it. A macro in an argument is the
/// program's choice.
bool sets_the_problem(const instrumentation::KernelFile& kernel,
                      const instrumentation::ParameterDeclaration& parameter);

/// The same by a parameter's name; false for a name that is none.
std::function<bool(const std::string& parameter)> problem_setters(
    std::shared_ptr<const instrumentation::KernelFile> kernel);

/// Settings that the header allows, one changed parameter each. Parameters that set the problem are left out:
/// another problem is not advice.
std::vector<Proposal> proposed_settings(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                        const std::map<std::string, std::string>& overrides);

/// The best pad of a shared array: as a setting if a parameter sets it, else in the source.
std::optional<Proposal> proposed_pad(Pipeline& pipeline, const LaunchRequest& request,
                                     const std::vector<std::uint64_t>& blocks,
                                     const std::function<bool()>& cancelled);

}  // namespace warplens::app
