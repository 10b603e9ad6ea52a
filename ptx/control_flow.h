// The control-flow graph of one function: basic blocks over its statements, edges, immediate post-dominators.
// The CPU engine reconverges by lowest PC and does not need it; analyses and views do, to say where the paths
// of a branch can meet. Blocks here end only where control can go elsewhere, so they are longer than those of
// Program::basic_blocks, which also end at barriers.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warplens::ptx {

using FlowBlockId = std::uint32_t;  // index into ControlFlowGraph::blocks

struct FlowBlock {
    std::uint32_t first_statement =
        0;                            // indices into Function::body; only the instructions among them matter
    std::uint32_t end_statement = 0;  // one past the last
    std::vector<FlowBlockId> successors;  // taken branch first, then the next block; never the exit
    std::vector<FlowBlockId> predecessors;
    bool leaves = false;  // ends in ret, exit or trap, guarded or not, or runs off the function's end
    /// The first block that every path from here to the function's end comes through; no_flow_block when that
    /// is the end itself, or when no path leads there (an endless loop).
    FlowBlockId post_dominator = 0;
};

inline constexpr FlowBlockId no_flow_block = 0xffffffffu;

struct ControlFlowGraph {
    std::vector<FlowBlock> blocks;  // in text order; the first is where the function begins

    /// The block that holds statement `statement` of the body.
    FlowBlockId block_of(std::uint32_t statement) const;
};

/// An empty body gives no blocks. A branch to an undefined label is ignored: parse() refuses it.
ControlFlowGraph build_control_flow(const Function& function);

/// What a thread executes if every loop goes around ten times: only for which of two kernels works more.
double guessed_instructions(const Function& function);

/// Whether some loop of the graph has more than one entry, as only a hand-written goto makes.
bool is_irreducible(const ControlFlowGraph& graph);

}  // namespace warplens::ptx
