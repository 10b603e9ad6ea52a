// The cluster's barrier ("PTX ISA: barrier.cluster"): arriving and waiting are separate instructions, with
// other work allowed between them. Exited threads are not expected.
#include "simt/functional/block/cluster.h"

#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/memory/memory_access.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void Cluster::release_if_complete() {
    if (arrived == 0) return;
    u32 expected = 0;
    for (const BlockRunner* block : blocks) expected += block->live_threads();
    if (arrived < expected) return;
    arrived = 0;
    for (BlockRunner* block : blocks) block->cluster_released();
}

void BlockRunner::arrive_at_cluster(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 mask = guarded_lanes(warp, block, group.mask);
    group.block = block.next;
    if (mask == 0) return;
    if (const u32 again = mask & (warp.cluster_arrived | warp.cluster_passed))
        report(warp, block.control_site, again, ProblemKind::diverged_barrier, 0,
               "arrives at the cluster's barrier a second time without having waited there: each "
               "barrier.cluster.arrive needs its barrier.cluster.wait");
    const u32 fresh = mask & ~(warp.cluster_arrived | warp.cluster_passed);
    warp.cluster_arrived |= fresh;
    cluster_->arrived += static_cast<u32>(std::popcount(fresh));
    if (races_) races_->release(warp, Space::global, cluster_word(Space::none, 0), true);
    cluster_->release_if_complete();
}

void BlockRunner::wait_for_cluster(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 mask = guarded_lanes(warp, block, group.mask);
    if (mask != 0 && observer_) observer_->barrier(static_cast<int>(warp.index), block.control_site, {mask});
    if (const u32 early = mask & ~(warp.cluster_arrived | warp.cluster_passed))
        report(warp, block.control_site, early, ProblemKind::diverged_barrier, 0,
               "waits at the cluster's barrier without having arrived there: each "
               "barrier.cluster.wait needs a barrier.cluster.arrive before it");
    const u32 waits = mask & warp.cluster_arrived;
    warp.cluster_passed &= ~mask;
    if (waits != 0) {
        warp.waits.push_back(
            {cluster_barrier, waits, block.next, group.frame, block.control_site, group.block});
        warp.waiting |= waits;
    }
    group = {block.next, group.mask & ~waits, group.frame, group.yielded};
}

void BlockRunner::cluster_released() {
    for (Warp& warp : warps_) {
        warp.cluster_passed |= warp.cluster_arrived;
        warp.cluster_arrived = 0;
        std::erase_if(warp.waits, [&](const BarrierWait& wait) {
            if (wait.barrier != cluster_barrier) return false;
            push(warp, {wait.resume_block, wait.mask, wait.frame, false});
            warp.waiting &= ~wait.mask;
            warp.cluster_passed &= ~wait.mask;
            return true;
        });
    }
    if (races_)
        for (const Warp& warp : warps_)
            races_->acquire(warp, warp.live, Space::global, cluster_word(Space::none, 0));
    if (observer_) observer_->barrier_release();
}

/// A word through which a cluster's blocks synchronize, encoded like an address of device memory.
u64 BlockRunner::cluster_word(Space space, u64 address) const {
    const Dim3 cluster = place_in_cluster(linear_block_, launch_.geometry).cluster;
    const u64 ranks = launch_.geometry.cluster.count();
    const u64 block = linear_index(cluster, clusters_of(launch_.geometry)) * ranks;
    if (space != Space::shared && space != Space::shared_cluster) return u64{0xffff} << 48 | block;
    const u64 rank = space == Space::shared ? cluster_rank_ : address / window_bytes;
    return (u64{0xfffe} << 48) + (block + rank) * window_bytes + address % window_bytes;
}

bool BlockRunner::waits_for_cluster() const {
    return std::ranges::any_of(warps_, [](const Warp& warp) {
        return std::ranges::any_of(warp.waits,
                                   [](const BarrierWait& wait) { return wait.barrier == cluster_barrier; });
    });
}

}  // namespace warplens::simt
