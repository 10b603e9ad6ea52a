// The rows and columns of one tree of combined values.
#pragma once

#include <span>

#include "analysis/warps/combine_tree.h"

namespace warplens::analysis {

/// `members`: indices into flow.nodes(), ascending; those of another operation enter the tree.
CombineTree lay_out_tree(const CombineFlow& flow, CombineOp op, std::span<const std::uint32_t> members);

}  // namespace warplens::analysis
