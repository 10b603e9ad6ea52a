// Block-wide barriers, counted in threads as from compute capability 7.0 on ("PTX ISA: bar, barrier"): one
// completes when as many threads have arrived as it expects; exited threads are not expected.
#include <bit>
#include <map>

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
    cluster_->release_if_complete();
}

void BlockRunner::report_deadlock() {
    stuck_ = true;
    const Standing standing = where_it_stands();
    Warp& warp = standing.warp ? *standing.warp : warps_.front();
    report(warp, standing.site, standing.lanes, ProblemKind::deadlock, 0,
           fmt::format("no thread of the block can go on: {}", standing.text));
}

void BlockRunner::report_standstill(const std::string& others) {
    stuck_ = true;
    const Standing standing = where_it_stands();
    Warp& warp = standing.warp ? *standing.warp : warps_.front();
    const bool loops_only = standing.spinning != 0 && standing.spinning == live_threads_ && others.empty();
    report(warp, standing.site, standing.lanes,
           loops_only ? ProblemKind::endless_loop : ProblemKind::deadlock, 0,
           fmt::format("no thread can go on: {}{}", standing.text, others));
}

BlockRunner::Standing BlockRunner::where_it_stands() {
    Standing standing;
    auto add = [&](const std::string& text) { standing.text += (standing.text.empty() ? "" : ", ") + text; };
    auto first = [&](Warp& warp, SiteId site, u32 lanes) {
        if (standing.warp) return;
        standing.warp = &warp;
        standing.site = site;
        standing.lanes = lanes;
    };
    std::map<SiteId, u32> loops;
    for (Warp& warp : warps_) {
        for (const Group& group : warp.groups) {
            const SiteId site = loop_site(group);
            first(warp, site, group.mask);
            loops[site] += static_cast<u32>(std::popcount(group.mask));
            standing.spinning += static_cast<u32>(std::popcount(group.mask));
        }
    }
    for (const auto& [site, threads] : loops)
        add(
            fmt::format("{} thread{} go{} round a loop at {} that changes nothing, waiting for memory that "
                        "nobody is left to write",
                        threads, threads == 1 ? "" : "s", threads == 1 ? "es" : "", describe_site(site)));
    for (u32 id = 0; id <= cluster_barrier; ++id) {
        u32 threads = 0;
        SiteId where = no_index;
        for (Warp& warp : warps_) {
            for (const BarrierWait& wait : warp.waits) {
                if (wait.barrier != id) continue;
                threads += static_cast<u32>(std::popcount(wait.mask));
                if (where == no_index) where = wait.site;
                first(warp, wait.site, wait.mask);
            }
        }
        if (threads == 0) continue;
        u32 arrived = cluster_->arrived, expected = 0;
        if (id == cluster_barrier) {
            for (const BlockRunner* block : cluster_->blocks) expected += block->live_threads();
        } else {
            arrived = barriers_[id].arrived;
            expected = barriers_[id].expected != 0 ? barriers_[id].expected : live_threads_;
        }
        const std::string name =
            id == cluster_barrier ? "the cluster's barrier" : fmt::format("barrier {}", id);
        add(fmt::format("{} threads wait at {} ({}) where {} of {} have arrived", threads, name,
                        describe_site(where), arrived, expected));
    }
    return standing;
}

/// The last site of the basic block at which the lanes stand: in a loop of one block, what sends them back.
SiteId BlockRunner::loop_site(const Group& group) const {
    const DecodedBlock& block = kernel().blocks[group.block];
    return block.site_count == 0 ? block.first_site : block.first_site + block.site_count - 1;
}

}  // namespace warplens::simt
