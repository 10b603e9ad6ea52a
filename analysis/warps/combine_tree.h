// CombineTree: the values of one block that were combined with one another through shuffles or shared memory,
// laid out as a picture: a column for each value that enters, a row for each round. Reductions and scans are
// such trees; combine_flow.h finds them from the instructions' dataflow.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/warps/combine_flow.h"

namespace warplens::analysis {

/// From which column an operand came: where it stood in the row above.
struct TreeOperand {
    std::uint32_t node = no_index;  // index into CombineTree::nodes; no_index: computed outside of the tree
    std::uint32_t column = 0;
    ValueWay way = ValueWay::own;
};

struct TreeNode {
    CombineOp op = CombineOp::none;  // none: a value that enters
    std::vector<TreeOperand> operands;
    std::uint32_t row = 0, column = 0;
    std::uint32_t thread = 0, warp = 0;  // of the block
    std::uint64_t step = 0;              // of the warp
    SiteId site = 0;
    std::uint32_t word = no_index;  // byte of shared memory it is stored to first
    std::uint64_t bits = 0;
    std::string_view type;  // "f32", as in PTX
    bool used = false;      // reaches the result in global memory
};

/// A value that was stored where another stood, without being combined.
struct TreeMove {
    std::uint32_t node = 0;
    std::uint32_t row = 0, from_column = 0, to_column = 0;
    std::uint32_t thread = 0;
};

/// A round: everything that can happen at the same time.
struct TreeRow {
    std::uint32_t combined = 0, used = 0;  // nodes, and those of them that reach the result
    std::uint32_t threads = 0, warps = 0;  // that combine
    std::uint32_t working = 0;             // warps, as bits: those of warps 0 to 31
    std::uint32_t barriers = 0;            // of the block since the row before
    std::uint32_t moved = 0, entered = 0;  // values moved; values that enter in place of others
    bool shuffles = false;                 // operands arrive by a shuffle
    SiteId site = no_index;                // of most nodes
};

struct CombineTree {
    CombineOp op = CombineOp::none;
    std::vector<TreeNode> nodes;  // operands come first
    std::vector<TreeMove> moves;
    std::vector<TreeRow> rows;  // row 0 holds the values that enter
    std::uint32_t columns = 0;
    bool has_result = false;  // a node reaches global memory: the others are not used
    std::vector<std::uint32_t>
        results;  // nodes that are stored to global memory; without any, those that no other combines
    std::uint32_t most_inputs = 0;  // values that enter before the first barrier, behind the result with most
    std::uint32_t combined = 0, used = 0;  // sums over the rows
};

struct CombineTrees {
    std::uint64_t block = 0;
    std::uint32_t warps = 0;          // of the block
    std::vector<CombineTree> trees;   // in the order in which they begin
    std::uint32_t left_out = 0;       // trees beyond most_trees
    std::uint64_t stopped_after = 0;  // instructions, where the block has more than are followed; else 0
    std::string absent;               // why there are none: a sentence; empty: there are some
};
inline constexpr std::size_t most_trees = 64;

CombineTrees combine_trees(const CombineFlow& flow);

/// The nodes from which a node was combined, itself included, in ascending order.
std::vector<std::uint32_t> nodes_behind(const CombineTree& tree, std::uint32_t node);

}  // namespace warplens::analysis
