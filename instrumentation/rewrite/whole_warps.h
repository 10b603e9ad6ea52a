// Predicts in which basic blocks a warp is whole: all the lanes that began are active. It follows values that
// differ between lanes (thread indices, data) through registers to branches; what such a branch decides is
// not predicted. A bounds check before a return is expected to pass. The prediction may be wrong: code that
// relies on it also checks it.
#pragma once

#include <vector>

#include "instrumentation/rewrite/block_graph.h"
#include "ptx/module.h"
#include "ptx/program.h"

namespace warplens::instrumentation {

/// By BasicBlockId.
struct WholeWarps {
    std::vector<bool> whole;
    std::vector<bool> together;   // whole, and ends in a conditional branch that sends all lanes the same way
    std::vector<bool> united;     // whole, and lanes that come together surely leave together
    std::vector<bool> gives_way;  // in a loop in which lanes give way (giving_way.h)
    /// The only way out of the kernel, alone in its block, where lanes that gave way come one by one: it is
    /// whole if the recording has them wait for each other. no_index: no such wait is needed.
    BasicBlockId waits = no_index;
    /// Lanes may part at the block's end, and some of them be at the way out while the rest has yet to meet a
    /// barrier or an exchange: those who have returned count there as absent, those who wait would be missed.
    std::vector<bool> misses_returned;
};

/// None in a module with several functions: lanes of different calls may meet there. Without `bounds_hold`
/// lanes may part at a bounds check like at any other branch, and always at those of the blocks `parting`.
WholeWarps predict_whole_warps(const ptx::Module& module, const ptx::NumberedProgram& numbered,
                               const BlockGraph& graph, bool bounds_hold = true,
                               const std::vector<BasicBlockId>& parting = {});

}  // namespace warplens::instrumentation
