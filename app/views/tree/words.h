// The words of the tree view.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/warps/combine_tree.h"
#include "trace/trace.h"

namespace warplens::app {

/// The tree is the block's only one and has several warps: then it says which are idle.
bool tree_shows_warps(const analysis::CombineTrees& trees);

/// Of a whole tree.
struct TreeFigures {
    std::uint32_t rounds = 0;       // rows in which values are combined
    std::uint32_t idle_rounds = 0;  // of them, those in which a warp of the block combines nothing
    std::uint32_t barriers = 0;     // between rows
};
TreeFigures tree_figures(const analysis::CombineTrees& trees, const analysis::CombineTree& tree);

/// A run's tree, for the words about two.
struct TreeOfRun {
    std::string_view name;
    const analysis::CombineTrees& trees;
    const analysis::CombineTree& tree;
};
/// "block=64 → block=128: 6 → 7 rounds, warps are idle in 2 of 6 → 3 of 7"
std::string tree_change_title(const TreeOfRun& before, const TreeOfRun& after);
std::string tree_change_facts(const TreeOfRun& before, const TreeOfRun& after);
/// "block 0: 256 values become one sum in 8 rounds, warps idle in 5": four wordings, longest first.
std::vector<std::string> tree_run_words(const TreeOfRun& run);

/// "sum", "maximum".
std::string tree_result_noun(analysis::CombineOp op);
std::string tree_title(const trace::Trace& trace, const analysis::CombineTree& tree);
/// "255 additions, as many as needed · 8 barriers · warps idle in 6 of 8 rounds"
std::string tree_facts(const analysis::CombineTrees& trees, const analysis::CombineTree& tree);
/// " · executing block 5 …" while it is selected and others are shown; empty where it is that block.
std::string tree_other_block(const analysis::CombineTrees& trees, std::uint64_t selected, bool waits);
/// "round 3", in Blelloch's scan "down-sweep 2", and what happens in it: "128 additions, line 50".
std::string row_name(const analysis::CombineTree& tree, std::uint32_t row);
std::string row_words(const trace::Trace& trace, const analysis::CombineTrees& trees,
                      const analysis::CombineTree& tree, std::uint32_t row);
/// "16.8", in at most seven characters where possible.
std::string short_value(const analysis::TreeNode& node);
/// "17k", "17": for a narrow cell.
std::string shorter_value(const analysis::TreeNode& node);
/// "12.3 + 4.5 = 16.8"
std::string node_arithmetic(const analysis::CombineTree& tree, const analysis::TreeNode& node);
/// "thread 3 of warp 0, line 50, adds `partial[3]` and `partial[131]`"
std::string node_sentence(const trace::Trace& trace, const analysis::CombineTree& tree,
                          const analysis::TreeNode& node);
/// What a column stands for: "5", the element of the array, or the thread.
struct ColumnNames {
    std::string what;  // "elements of partial", "threads"
    /// Per column: "5"; of an array or a block with several dimensions "[1][5]", "(5, 1)".
    std::vector<std::string> numbers;
};
ColumnNames column_names(const trace::Trace& trace, const analysis::CombineTree& tree);

}  // namespace warplens::app
