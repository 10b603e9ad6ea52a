// The combining trees of a launch: executes a block once more and follows every value
// (analysis/warps/combine_flow.h). Blocks whose instructions cannot form a tree are not executed.
#pragma once

#include <functional>
#include <memory>

#include "analysis/warps/combine_tree.h"
#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// Whether it is worth to keep the launch for find_trees().
bool may_have_trees(const LoadedLaunch& launch);
/// CombineTrees::absent says why there are none. nullptr when cancelled.
std::shared_ptr<const analysis::CombineTrees> find_trees(LoadedLaunch launch, std::uint64_t block,
                                                         const std::function<bool()>& cancelled);
std::shared_ptr<const analysis::CombineTrees> no_trees();

}  // namespace warplens::app
