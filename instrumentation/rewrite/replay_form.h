// Which instructions can be replayed, and as which step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "instrumentation/rewrite/replay_steps.h"
#include "ptx/module.h"

namespace warplens::instrumentation {

/// What names in operands stand for; nothing: it is not known on the host.
struct ReplayNames {
    std::function<std::optional<std::uint64_t>(const std::string&)> parameter;  // its offset
    std::function<std::optional<std::uint64_t>(const std::string&)> symbol;     // see ReplaySource
    bool windows = false;  // the recording says where shared and local memory lie
};

/// The step of an instruction: integer arithmetic, comparisons, conversions between integers, moves and loads
/// of parameters. Sources of kind `slot` and the result name registers of the function; `site` is not set.
std::optional<ReplayStep> replay_step(const ptx::Function& function, const ptx::Instruction& instruction,
                                      const ReplayNames& names);

/// The steps of a load from global memory, one for each element of a vector; none of other instructions.
std::vector<ReplayStep> replay_load(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warplens::instrumentation
