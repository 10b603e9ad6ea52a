// Block-wide barriers, which count threads as since compute capability 7.0 ("PTX ISA: bar, barrier"): one
// completes when the expected number of threads has arrived; exited threads are not expected.
#include <algorithm>
#include <bit>
#include <map>

#include "analysis/wording.h"
#include "core/symbol_name.h"
#include "simt/functional/block/block_runner.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void BlockRunner::arrive(Warp& warp, const DecodedBlock& block, Group& group) {
    u32 mask = guarded_lanes(warp, block, group.mask);
    if (kernel().machine && mask != 0 && mask != group.mask) {
        check_guard(warp, block, mask, group.mask);
        mask = group.mask;
    }
    u32 rest = group.mask & ~mask;
    if (mask != 0) {
        const int first = std::countr_zero(mask);
        const u32 named = row<const u32>(warp, block.barrier)[first];
        const u32 wanted = block.packed ? named & 0xffff : named;
        const u32 id = wanted & 15;
        Barrier& barrier = barriers_[id];
        if (observer_) observer_->barrier(static_cast<int>(warp.index), block.control_site, {mask});
        const u32 count = block.packed    ? named >> 16
                          : block.counted ? row<const u32>(warp, block.barrier_count)[first]
                                          : 0;
        check_arrival(warp, block, mask, wanted, count);
        if (warp.diverged_recursion != no_index && block.aligned) note_diverged_recursion(warp, block, mask);
        if (barrier.lanes[warp.index] == 0) barrier.sites[warp.index] = block.control_site;
        barrier.lanes[warp.index] |= mask;
        barriers_in_use_ |= 1u << id;
        if (races_) races_->arrive(warp, id);
        barrier.arrived += static_cast<u32>(std::popcount(mask));
        if (block.counted || count != 0) barrier.expected = count;
        if (block.control == Control::barrier_reduce)
            barrier.holding += static_cast<u32>(std::popcount(mask & predicate(warp, block.reduced)));
        if (block.control == Control::barrier_arrive) {
            rest |= mask;
        } else {
            warp.waits.push_back({id, mask, block.next, group.frame, block.control_site, group.block});
            warp.waiting |= mask;
        }
        release_if_complete(id);
    }
    group.go_on(block.next, rest);
}

namespace {

constexpr u32 barriers_of_a_block = 16;

u64 thread_of(const Warp& warp, u32 lanes) {
    return warp.index * u64{warp_size} + static_cast<u64>(std::countr_zero(lanes));
}

}  // namespace

/// Reports lanes that the guard of a barrier turns off. In machine code they wait with the others, as on an
/// H200.
void BlockRunner::check_guard(Warp& warp, const DecodedBlock& block, u32 mask, u32 together) {
    if (reported_before(ProblemKind::diverged_barrier, block.control_site, 1)) return;
    report(warp, block.control_site, mask, ProblemKind::diverged_barrier, 0,
           fmt::format(
               "of lanes {:#010x} of the warp only {:#010x} reach this barrier: all threads of a block must. "
               "This machine code lets the others wait with them; other machine code of the same "
               "source may never end",
               together, mask));
}

/// Reports errors of lanes that arrive at a barrier, given the lanes that arrived earlier.
void BlockRunner::check_arrival(Warp& warp, const DecodedBlock& block, u32 mask, u32 id, u32 count) {
    const auto report_problem = [&](ProblemKind kind, std::string message, const Warp* with = nullptr,
                                    u32 lanes = 0, SiteId site = no_index) {
        if (reported_before(kind, block.control_site, static_cast<u64>(std::popcount(mask)))) return;
        Finding finding{
            .kind = kind, .site = block.control_site, .lanes = mask, .message = std::move(message)};
        if (with) finding.other = party(site, thread_of(*with, lanes));
        report(warp, std::move(finding));
    };
    if (id >= barriers_of_a_block)
        report_problem(
            ProblemKind::mismatched_barrier,
            fmt::format("waits at barrier {}: a block has {}, numbered from 0", id, barriers_of_a_block));
    if ((block.counted && count == 0) || count % warp_size != 0)
        report_problem(
            ProblemKind::mismatched_barrier,
            fmt::format("the barrier counts {} threads: the number must be a multiple of the warp's {}",
                        count, warp_size));
    const Barrier& barrier = barriers_[id % barriers_of_a_block];
    if (barrier.arrived == 0) return;
    if (block.aligned && block.control != Control::barrier_arrive && barrier.lanes[warp.index] != 0) {
        const u32 before = barrier.lanes[warp.index];
        const SiteId site = barrier.sites[warp.index];
        report_problem(
            ProblemKind::diverged_barrier,
            fmt::format(
                "lanes {:#010x} of the warp arrive at the barrier here, lanes {:#010x} arrived before "
                "at {}: all threads of a warp must reach a barrier together",
                mask, before, describe_site(site)),
            &warp, before, site);
        return;
    }
    const auto arrived = std::find_if(warps_.begin(), warps_.end(), [&](const Warp& other) {
        return other.index != warp.index && barrier.lanes[other.index] != 0;
    });
    if (arrived == warps_.end()) return;
    const u32 others = barrier.lanes[arrived->index];
    const SiteId site = barrier.sites[arrived->index];
    if (barrier.expected != count && barrier.arrived != 0) {
        const auto threads = [](u32 number) {
            return number == 0 ? std::string("all threads of the block")
                               : analysis::counted(number, "thread");
        };
        report_problem(
            ProblemKind::mismatched_barrier,
            fmt::format(
                "waits at barrier {} for {}, while at {} {} wait for it: all must name the same number", id,
                threads(count), describe_site(site), threads(barrier.expected)),
            &*arrived, others, site);
        return;
    }
    // At __syncthreads() all threads must wait at the same source line, or the block hangs on some GPUs.
    // Lines are compared because the compiler may emit one source barrier several times.
    const Site &here = kernel().numbered.sites[block.control_site], &there = kernel().numbered.sites[site];
    const bool everyone = count == 0 && id == 0 && block.aligned && kernel().numbered.sites[site].line != 0;
    if (everyone && block.control == Control::barrier_sync && here.line != there.line && here.line != 0)
        report_problem(
            ProblemKind::diverged_barrier,
            fmt::format("this warp waits at this barrier, another warp at {}: all threads of a block must "
                        "reach the same __syncthreads()",
                        describe_site(site)),
            &*arrived, others, site);
}

void BlockRunner::release_if_complete(u32 id) {
    Barrier& barrier = barriers_[id];
    if (barrier.arrived == 0) return;
    const u32 expected = barrier.expected != 0 ? barrier.expected : live_threads_;
    if (barrier.arrived < expected) return;
    if (barrier.expected == 0 && live_threads_ < static_cast<u32>(launch_.geometry.threads_per_block()))
        note_ended_threads(barrier);
    if (kernel().counts) meet(barrier);
    for (Warp& warp : warps_) {
        u32 released = 0;
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
            released |= wait.mask;
            warp.waits.erase(warp.waits.begin() + static_cast<std::ptrdiff_t>(i));
        }
        if (races_ && released != 0) races_->leave(warp, id, released);
        barrier.lanes[warp.index] = 0;
    }
    barrier.arrived = barrier.expected = barrier.holding = 0;
    barriers_in_use_ &= ~(1u << id);
    if (races_) races_->reopen(id);
    if (observer_) observer_->barrier_release();
}

/// Warps leave a barrier at the same time.
void BlockRunner::meet(const Barrier& barrier) {
    u64 last = 0;
    for (const Warp& warp : warps_)
        if (barrier.lanes[warp.index] != 0) last = std::max(last, warp.time());
    for (Warp& warp : warps_)
        if (barrier.lanes[warp.index] != 0) warp.waited += static_cast<s64>(last - warp.time());
}

/// Measured on an H200: docs/agreement.md, "Recursion to different depths".
void BlockRunner::note_diverged_recursion(Warp& warp, const DecodedBlock& block, u32 mask) {
    const std::string name(plain_name(kernel().functions[warp.diverged_recursion].name));
    warp.diverged_recursion = no_index;
    if (reported_before(ProblemKind::diverged_recursion, block.control_site, 1)) return;
    report(warp,
           {.kind = ProblemKind::diverged_recursion,
            .site = block.control_site,
            .lanes = mask,
            .message = fmt::format(
                "lanes of this warp recursed in {} to different depths before they reach this barrier. A GPU "
                "may not bring them together again: on an H200 they passed such a barrier in parts, and it "
                "opened too early. __syncwarp() does not help; use a loop instead of the recursion",
                name)});
}

void BlockRunner::note_ended_threads(const Barrier& barrier) {
    const auto arrived =
        std::ranges::find_if(warps_, [&](const Warp& warp) { return barrier.lanes[warp.index] != 0; });
    if (arrived == warps_.end()) return;
    const SiteId site = barrier.sites[arrived->index];
    const u32 lanes = barrier.lanes[arrived->index];
    if (reported_before(ProblemKind::ended_threads, site, 1)) return;
    report(*arrived,
           {.kind = ProblemKind::ended_threads,
            .site = site,
            .lanes = lanes,
            .message = fmt::format(
                "{} of the block's {} threads arrive at this barrier; the others have ended. It opens "
                "because threads that have ended no longer count from compute capability 7.0 on; older GPUs "
                "hang unless all threads reach the barrier",
                analysis::grouped(barrier.arrived),
                analysis::grouped(static_cast<u64>(launch_.geometry.threads_per_block())))});
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
    report(warp, {.kind = ProblemKind::deadlock,
                  .site = standing.site,
                  .lanes = standing.lanes,
                  .message = fmt::format("no thread of the block can continue: {}; a barrier must be reached "
                                         "by all threads that it waits for",
                                         standing.text),
                  .other = standing.other});
}

void BlockRunner::report_standstill(const std::string& others) {
    stuck_ = true;
    const Standing standing = where_it_stands();
    Warp& warp = standing.warp ? *standing.warp : warps_.front();
    const bool loops_only = standing.spinning != 0 && standing.spinning == live_threads_ && others.empty();
    report(warp, {.kind = loops_only ? ProblemKind::endless_loop : ProblemKind::deadlock,
                  .site = standing.site,
                  .lanes = standing.lanes,
                  .message = fmt::format("no thread can continue: {}{}", standing.text, others),
                  .other = standing.other,
                  .reach = Reach::grid});
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
            fmt::format("{} thread{} loop{} at {} without changing anything, waiting for memory that no "
                        "thread will write",
                        threads, threads == 1 ? "" : "s", threads == 1 ? "s" : "", describe_site(site)));
    for (Warp& warp : warps_) {
        for (const ConvergeWait& wait : warp.converging) {
            first(warp, wait.site, wait.mask);
            add(fmt::format("lanes {:#010x} of warp {} wait at {} for lanes {:#010x}", wait.mask, warp.index,
                            describe_site(wait.site), awaited(warp, wait) & ~wait.mask));
        }
    }
    for (u32 id = 0; id <= cluster_barrier; ++id) {
        u32 threads = 0;
        SiteId where = no_index;
        for (Warp& warp : warps_) {
            for (const BarrierWait& wait : warp.waits) {
                if (wait.barrier != id) continue;
                threads += static_cast<u32>(std::popcount(wait.mask));
                if (where == no_index) where = wait.site;
                first(warp, wait.site, wait.mask);
                if (standing.site != no_index && !standing.other && wait.site != standing.site)
                    standing.other = party(wait.site, thread_of(warp, wait.mask));
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

/// The last site of the lanes' basic block: in a loop of one block, the branch back.
SiteId BlockRunner::loop_site(const Group& group) const {
    const DecodedBlock& block = kernel().blocks[group.block];
    return block.site_count == 0 ? block.first_site : block.first_site + block.site_count - 1;
}

}  // namespace warplens::simt
