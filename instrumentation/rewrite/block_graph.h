// The control flow between the basic blocks of a Program: ptx/control_flow.h has longer blocks, while these
// also end at barriers and calls.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "ptx/module.h"
#include "ptx/program.h"

namespace warplens::instrumentation {

struct BlockNode {
    std::uint32_t function = 0;            // index into Module::functions
    std::vector<BasicBlockId> successors;  // the branch's target first; none for a block that only leaves
    std::vector<BasicBlockId> predecessors;
    BasicBlockId falls_into = no_index;  // the next block, if control can come to it without a jump
    BasicBlockId jumps_to = no_index;    // of a direct branch
    bool begins_function = false;
    bool leaves = false;  // its last site is a ret, exit or trap, guarded or not, or it runs off the end
};

struct BlockGraph {
    std::vector<BlockNode> nodes;  // by BasicBlockId

    /// Whether some path of at least one edge leads from `from` to `to` without `avoiding` in between (which
    /// may be either of them).
    bool reaches(BasicBlockId from, BasicBlockId to, BasicBlockId avoiding) const;
    /// Whether `join` ends what `fork` begins: every visit of the one is followed by exactly one of the
    /// other, lane by lane.
    bool encloses(BasicBlockId fork, BasicBlockId join) const;
};

/// By block: the last block that is on every path from its function's start; no_index for the first block and
/// for blocks that no path reaches.
std::vector<BasicBlockId> immediate_dominators(const BlockGraph& graph);

/// By block: it is in the loop that begins at `begin`, which is the only way into it; none if no loop does.
std::vector<bool> loop_from(const BlockGraph& graph, const std::vector<BasicBlockId>& dominators,
                            BasicBlockId begin);

/// By block: the first block that is on every path from it to the function's end; no_index if that is the end
/// itself, or if no path leads there.
std::vector<BasicBlockId> immediate_post_dominators(const BlockGraph& graph);

/// A call continues in the block after it; what the callee does is its own graph.
BlockGraph build_block_graph(const ptx::Module& module, const ptx::NumberedProgram& numbered);

}  // namespace warplens::instrumentation
