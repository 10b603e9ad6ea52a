// Block-wide barriers, counted in threads as from compute capability 7.0 on ("PTX ISA: bar, barrier"): one
// completes when as many threads have arrived as it expects; exited threads are not expected.
#include <bit>

#include "simt/functional/block_runner.h"
#include "simt/functional/race_detector.h"

namespace warplens::simt {

void BlockRunner::arrive(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 mask = guarded_lanes(warp, block, group.mask);
    Group rest{block.next, group.mask & ~mask, group.frame, group.yielded};
    if (mask != 0) {
        const int first = std::countr_zero(mask);
        const u32 id = row<const u32>(warp, block.barrier)[first] & 15;
        Barrier& barrier = barriers_[id];
        if (observer_) observer_->barrier(static_cast<int>(warp.index), block.control_site, {mask});
        if (block.aligned && barrier.lanes[warp.index] != 0 && block.control != Control::barrier_arrive) {
            report(
                warp, block.control_site, mask, ProblemKind::diverged_barrier, 0,
                fmt::format("lanes {:#010x} of the warp arrive at the barrier here, lanes {:#010x} arrived "
                            "before at {}: all threads of a warp must reach a barrier together",
                            mask, barrier.lanes[warp.index], describe_site(barrier.sites[warp.index])));
        } else {
            barrier.sites[warp.index] = block.control_site;
        }
        barrier.lanes[warp.index] |= mask;
        barriers_in_use_ |= 1u << id;
        barrier.arrived += static_cast<u32>(std::popcount(mask));
        if (block.counted) barrier.expected = row<const u32>(warp, block.barrier_count)[first];
        if (block.control == Control::barrier_reduce)
            barrier.holding += static_cast<u32>(std::popcount(mask & predicate(warp, block.reduced)));
        if (block.control == Control::barrier_arrive) {
            rest.mask |= mask;
        } else {
            warp.waits.push_back({id, mask, block.next, group.frame, block.control_site, group.block});
            warp.waiting |= mask;
        }
        release_if_complete(id);
    }
    group = rest;
}

void BlockRunner::release_if_complete(u32 id) {
    Barrier& barrier = barriers_[id];
    if (barrier.arrived == 0) return;
    const u32 expected = barrier.expected != 0 ? barrier.expected : live_threads_;
    if (barrier.arrived < expected) return;
    for (Warp& warp : warps_) {
        for (std::size_t i = 0; i < warp.waits.size();) {
            const BarrierWait wait = warp.waits[i];
            if (wait.barrier != id) {
                ++i;
                continue;
            }
            const DecodedBlock& block = kernel().blocks[wait.blocking_block];
            switch (block.reduction) {
                case Reduction::none:
                    break;
                case Reduction::count:
                    for_each_lane({wait.mask},
                                  [&](int lane) { row<u32>(warp, block.result)[lane] = barrier.holding; });
                    break;
                case Reduction::all:
                    set_predicate(warp, block.result, wait.mask,
                                  barrier.holding == barrier.arrived ? wait.mask : 0);
                    break;
                case Reduction::any:
                    set_predicate(warp, block.result, wait.mask, barrier.holding != 0 ? wait.mask : 0);
                    break;
            }
            push(warp, {wait.resume_block, wait.mask, wait.frame, false});
            warp.waiting &= ~wait.mask;
            warp.waits.erase(warp.waits.begin() + static_cast<std::ptrdiff_t>(i));
        }
        barrier.lanes[warp.index] = 0;
    }
    barrier.arrived = barrier.expected = barrier.holding = 0;
    barriers_in_use_ &= ~(1u << id);
    if (launch_.options->detect_races) races_->barrier_released();
    if (observer_) observer_->barrier_release();
}

void BlockRunner::lanes_exited() {
    for (u32 rest = barriers_in_use_; rest != 0; rest &= rest - 1) {
        const u32 id = static_cast<u32>(std::countr_zero(rest));
        if (barriers_[id].expected == 0) release_if_complete(id);
    }
}

void BlockRunner::report_deadlock() {
    std::string waits;
    Warp* first = nullptr;
    SiteId site = no_index;
    u32 lanes = 0;
    for (u32 id = 0; id < barriers_.size(); ++id) {
        u32 threads = 0;
        SiteId where = no_index;
        for (Warp& warp : warps_) {
            for (const BarrierWait& wait : warp.waits) {
                if (wait.barrier != id) continue;
                threads += static_cast<u32>(std::popcount(wait.mask));
                if (where == no_index) where = wait.site;
                if (!first) {
                    first = &warp;
                    site = wait.site;
                    lanes = wait.mask;
                }
            }
        }
        if (threads == 0) continue;
        const Barrier& barrier = barriers_[id];
        waits += fmt::format("{}{} threads wait at barrier {} ({}) where {} of {} have arrived",
                             waits.empty() ? "" : ", ", threads, id, describe_site(where), barrier.arrived,
                             barrier.expected != 0 ? barrier.expected : live_threads_);
    }
    if (!first) first = &warps_.front();
    report(*first, site, lanes, ProblemKind::deadlock, 0,
           fmt::format("no thread of the block can go on: {}", waits));
}

}  // namespace warplens::simt
