// Where an access of a block's observer reached shared memory: the block that owns it, and the offset there.
#pragma once

#include "core/cluster.h"
#include "trace/observer.h"

namespace warplens::simt {

struct SharedPlace {
    std::uint64_t block = 0;  // linear index in the grid
    std::uint64_t offset = 0;
};

/// `address` as in an Access of Space::shared or Space::shared_cluster by `block`.
inline SharedPlace shared_place(const LaunchGeometry& geometry, std::uint64_t block, Space space,
                                std::uint64_t address) {
    if (space == Space::shared) return {block, address};
    const auto blocks = blocks_of_cluster(linear_cluster(block, geometry), geometry);
    return {blocks[rank_of(address)], address & ((std::uint64_t{1} << rank_shift) - 1)};
}

constexpr bool is_write(Operation operation) {
    return operation == Operation::store || operation == Operation::atomic;
}

/// Counts the steps of a block's warps from its visits, as trace::Step::index does.
class StepCounts {
  public:
    void visit(const Program& program, int warp, BasicBlockId block) {
        const auto at = static_cast<std::size_t>(warp);
        if (warps_.size() <= at) warps_.resize(at + 1);
        warps_[at].first = warps_[at].next;
        warps_[at].next += program.basic_blocks[block].site_count;
        warps_[at].first_site = program.basic_blocks[block].first_site;
    }
    /// Of the warp's current visit.
    std::uint64_t step(int warp, SiteId site) const {
        const OfWarp& of = warps_[static_cast<std::size_t>(warp)];
        return of.first + (site - of.first_site);
    }

  private:
    struct OfWarp {
        std::uint64_t first = 0, next = 0;
        SiteId first_site = 0;
    };
    std::vector<OfWarp> warps_;
};

}  // namespace warplens::simt
