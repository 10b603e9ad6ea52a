// ExplainBranch: what the assembler made of a divergent branch of the PTX. A short one becomes predicates:
// then no warp divides there on a GPU, and Explain must not say that it does.
#pragma once

#include <optional>
#include <string>

#include "app/scene/scene.h"

namespace warplens::app {

struct BranchInMachineCode {
    std::string clause;  // ends the sentence with the PTX's count: "but in machine code it is not a branch"
    std::string what;    // a sentence more; may be empty
    std::string why;     // in place of the PTX level's sentence; empty: that one holds
};

/// Exact, from the machine code's own counts. Nothing for a branch whose warps agree, where the machine code
/// counts the same, where there is none, and of a Scene at the machine level.
std::optional<BranchInMachineCode> branch_in_machine_code(const Scene& scene, SiteId site);

}  // namespace warplens::app
