// The words of the tree view.
#pragma once

#include <string>

#include "analysis/warps/combine_tree.h"
#include "trace/trace.h"

namespace warplens::app {

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
    std::string what;                    // "elements of partial", "threads"
    std::vector<std::uint64_t> numbers;  // per column
};
ColumnNames column_names(const trace::Trace& trace, const analysis::CombineTree& tree);

}  // namespace warplens::app
