// A visit: a group executes a basic block, and its lanes go where the block's last instruction sends them.
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/block/step_watch.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void BlockRunner::report_empty_loop(Warp& warp, const DecodedBlock& block, u32 lanes) {
    if (ends_run_) return;
    report(
        warp, block.control_site, lanes, ProblemKind::endless_loop, 0,
        "the instruction branches to itself: the loop never ends, and what its condition reads is not read "
        "again");
    end_run();
}

/// Executes a basic block. Afterwards `group` is where its lanes continue, or is empty; other lanes have been
/// pushed.
void BlockRunner::visit(Warp& warp, Group& group) {
    const DecodedBlock& block = kernel().blocks[group.block];
    const u32 mask = group.mask;
    warp.active = mask;
    warp.first_site = block.first_site;
    if ((warp.gave_way & mask) != 0) [[unlikely]] {
        warp.gave_way &= ~mask;
        group.yielded = false;
    }
    if (observer_ && block.site_count != 0)
        observer_->visit(static_cast<int>(warp.index), group.block, {mask});
    if (watch_) [[unlikely]] {
        execute_watched(warp, block);
    } else {
        const DecodedOp* end = kernel().ops.data() + block.end_op;
        for (const DecodedOp* op = kernel().ops.data() + block.first_op; op != end; ++op)
            op->execute(warp, *op, mask);
    }
    warp.steps += block.site_count;
    warp.thread_steps += u64{block.site_count} * static_cast<u64>(LaneMask{mask}.count());
    if (warp.steps > step_limit_) [[unlikely]] {
        if (ends_run_) return;
        report(warp, block.first_site, mask, ProblemKind::endless_loop, 0,
               fmt::format("after {} steps the warp is still running: a loop never ends, or the limit "
                           "(--max-steps) is too low",
                           step_limit_));
        end_run();
        return;
    }
    switch (block.control) {
        case Control::fall_through:
            group.block = block.next;
            break;
        case Control::branch: {
            const u32 here = group.block;
            branch(warp, block, group);
            // Nothing else happens in the block, so that the lanes branch in the same way for ever.
            const bool repeats = group.block == here && group.mask != 0 && block.first_op == block.end_op;
            if (repeats) [[unlikely]]
                report_empty_loop(warp, block, group.mask);
            break;
        }
        case Control::branch_table:
            branch_by_table(warp, block, group);
            break;
        case Control::exit:
        case Control::leave_function: {
            const u32 leaving = guarded_lanes(warp, block, mask);
            if (leaving != 0 && block.control == Control::leave_function && group.frame->parent)
                leave_function(warp, group, leaving);
            else if (leaving != 0) exit_lanes(warp, leaving);
            group.go_on(block.next, mask & ~leaving);
            break;
        }
        case Control::call:
            call(warp, block, group);
            break;
        case Control::barrier_sync:
        case Control::barrier_arrive:
        case Control::barrier_reduce:
            arrive(warp, block, group);
            break;
        case Control::cluster_arrive:
            arrive_at_cluster(warp, block, group);
            break;
        case Control::cluster_wait:
            wait_for_cluster(warp, block, group);
            break;
        case Control::converge_named:
            converge_named(warp, block, group);
            break;
        case Control::converge:
            converge(warp, block, group);
            break;
        case Control::give_way:
            give_way(warp, block, group);
            break;
        case Control::jump:
            jump(warp, block, group);
            break;
        case Control::call_address:
            call_address(warp, block, group);
            break;
    }
    if (!warp.converging.empty() && warp.groups.empty() && group.mask == 0 && warp.waiting == 0) let_go(warp);
    if (watch_ && block.control_site != no_index) [[unlikely]]
        watch_->after(warp, warp.steps - 1, block.control_site);
}

/// The operations of one site are consecutive; a site may have none. The control instruction, which comes
/// last, is executed by visit().
void BlockRunner::execute_watched(Warp& warp, const DecodedBlock& block) {
    const u32 mask = warp.active;
    const DecodedOp* op = kernel().ops.data() + block.first_op;
    const DecodedOp* const end = kernel().ops.data() + block.end_op;
    for (u32 i = 0; i < block.site_count; ++i) {
        const SiteId site = block.first_site + i;
        watch_->before(warp, warp.steps + i, site);
        for (; op != end && op->site == site; ++op) op->execute(warp, *op, mask);
        if (site != block.control_site) watch_->after(warp, warp.steps + i, site);
    }
}

u32 BlockRunner::guarded_lanes(Warp& warp, const DecodedBlock& block, u32 mask) {
    if (!block.guarded) return mask;
    u32 holds = predicate(warp, block.guard);
    u32 lanes = mask & (block.guard_negated ? ~holds : holds);
    if (observer_) observer_->guard(static_cast<int>(warp.index), block.control_site, {lanes});
    return lanes;
}

void BlockRunner::exit_lanes(Warp& warp, u32 mask) {
    warp.live &= ~mask;
    if (!warp.converging.empty()) release_complete(warp);
    if (races_) races_->exit(warp);
    live_threads_ -= static_cast<u32>(std::popcount(mask));
    lanes_exited();
}

}  // namespace warplens::simt
