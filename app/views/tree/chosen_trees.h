// The trees of the block that is selected: the first block's are in the Scene, others are found when they are
// asked for, on a thread of their own.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/warps/combine_tree.h"
#include "app/session/latest_task.h"
#include "app/views/view.h"

namespace warplens::app {

class ChosenTrees {
  public:
    /// Never null for a Scene that has trees. Until those of the selected block are found they are the ones
    /// shown before. A picture waits.
    std::shared_ptr<const analysis::CombineTrees> of(ViewFrame& frame);
    /// The block that is selected, while its trees are being found.
    bool waits() const { return waits_; }

    static std::uint64_t chosen_block(const ViewFrame& frame);

  private:
    using Trees = std::shared_ptr<const analysis::CombineTrees>;
    SceneIdentity scene_;
    std::uint64_t asked_ = 0;
    bool waits_ = false;
    Trees shown_;
    LatestTask<Trees> task_;
};

}  // namespace warplens::app
