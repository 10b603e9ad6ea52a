#include "simt/functional/block/block_plan.h"

#include <algorithm>

#include "core/cluster.h"

namespace warplens::simt {

BlockPlan::BlockPlan(const LaunchGeometry& geometry, const std::vector<u64>& chosen)
    : geometry_(geometry), whole_(chosen.empty()) {
    if (whole_) return;
    if (blocks_per_unit() == 1) {
        blocks_ = chosen;
        return;
    }
    for (const u64 block : chosen)
        clusters_.push_back(linear_index(place_in_cluster(block, geometry_).cluster, clusters_of(geometry_)));
    std::ranges::sort(clusters_);
    clusters_.erase(std::unique(clusters_.begin(), clusters_.end()), clusters_.end());
    for (const u64 cluster : clusters_)
        for (const u64 block : blocks_of_cluster(cluster, geometry_)) blocks_.push_back(block);
    std::ranges::sort(blocks_);
}

std::size_t BlockPlan::index_of(u64 linear_block) const {
    if (whole_) return linear_block;
    return static_cast<std::size_t>(std::ranges::lower_bound(blocks_, linear_block) - blocks_.begin());
}

std::size_t BlockPlan::units() const {
    if (blocks_per_unit() == 1) return blocks();
    return whole_ ? clusters_of(geometry_).count() : clusters_.size();
}

std::vector<u64> BlockPlan::unit(std::size_t index) const {
    if (blocks_per_unit() == 1) return {block(index)};
    return blocks_of_cluster(whole_ ? index : clusters_[index], geometry_);
}

u64 BlockPlan::first_of_unit(std::size_t index) const {
    if (blocks_per_unit() == 1) return block(index);
    const Dim3 at = coordinates(whole_ ? index : clusters_[index], clusters_of(geometry_));
    const Dim3 of = geometry_.cluster;
    return linear_index({at.x * of.x, at.y * of.y, at.z * of.z}, geometry_.grid);
}

}  // namespace warplens::simt
