// Loops in which the assembler has lanes give way to others of their warp (a YIELD,
// docs/decisions/0019-lanes-that-give-way.md): those that end by what others may write. Where lanes wait for
// some that have given way, the hardware lets them go on without those.
#pragma once

#include <vector>

#include "instrumentation/rewrite/block_graph.h"
#include "ptx/module.h"
#include "ptx/program.h"

namespace warplens::instrumentation {

/// By BasicBlockId: the block is in a loop of the entry, which may be in another one, whose end depends on an
/// atomic's result or on a load that may not be kept (volatile, relaxed, acquire).
std::vector<bool> blocks_that_give_way(const ptx::Module& module, const ptx::NumberedProgram& numbered,
                                       const BlockGraph& graph);

}  // namespace warplens::instrumentation
