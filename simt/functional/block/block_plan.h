// BlockPlan: which blocks of a grid a run executes, in ascending order, and which must run together. Choosing
// a block also chooses the other blocks of its cluster.
#pragma once

#include <vector>

#include "core/launch.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

class BlockPlan {
  public:
    /// `chosen`: linear indices, ascending; empty: the whole grid.
    BlockPlan(const LaunchGeometry& geometry, const std::vector<u64>& chosen);

    std::size_t blocks() const { return whole_ ? geometry_.blocks() : blocks_.size(); }
    u64 block(std::size_t index) const { return whole_ ? index : blocks_[index]; }
    std::size_t index_of(u64 linear_block) const;

    /// Blocks that must run together, ordered by their first block: a cluster, or one block.
    std::size_t units() const;
    /// Linear indices, by rank in the cluster.
    std::vector<u64> unit(std::size_t index) const;
    u64 first_of_unit(std::size_t index) const;
    std::size_t blocks_per_unit() const { return geometry_.cluster.count(); }

  private:
    LaunchGeometry geometry_;
    bool whole_;
    std::vector<u64> blocks_, clusters_;  // the chosen ones; clusters only if they have several blocks
};

}  // namespace warplens::simt
