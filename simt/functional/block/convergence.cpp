// Where the lanes of a warp meet in machine code: at convergence barriers (BSYNC) and at masks that are named
// (WARPSYNC). Lanes that wait go on once all others that they wait for have come or have exited. Lanes that
// are let go otherwise execute the instruction again, those at one place together. As an H200 does:
// docs/decisions/0019-lanes-that-give-way.md.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

/// BSYNC. Lanes that the barrier does not name pass: it has been cleared, or named others since.
void BlockRunner::converge(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 arriving = guarded_lanes(warp, block, group.mask);
    const u32 passing = group.mask & ~arriving;
    u32& barrier = lane_set(warp, block.barrier);
    const u32 members = barrier & warp.live;
    if ((arriving & members) == 0) {
        group.block = block.next;
        return;
    }
    const auto waits_here = [&](const ConvergeWait& wait) {
        return wait.block == group.block && (wait.mask & members) != 0;
    };
    u32 met = arriving;
    for (const ConvergeWait& wait : warp.converging)
        if (waits_here(wait)) met |= wait.mask;
    const u32 missing = members & ~met;
    if (missing != 0 && !gave_way_for(warp, missing)) {
        warp.converging.push_back({arriving, group.block, group.frame, block.control_site, block.barrier, 0});
        group = {block.next, passing, group.frame, group.yielded};
        return;
    }
    if (missing != 0) run_again(warp);
    barrier = 0;
    std::erase_if(warp.converging, waits_here);
    group = {block.next, met | passing, group.frame, false};
}

/// Whether one of the missing lanes gave way and nobody else can run: then they are no longer waited for, and
/// run again.
bool BlockRunner::gave_way_for(const Warp& warp, u32 missing) {
    return (missing & warp.gave_way) != 0 && warp.waiting == 0 &&
           std::ranges::all_of(warp.groups, &Group::yielded);
}

/// WARPSYNC: a group passes only as a whole. Once all have come they execute it together.
void BlockRunner::converge_named(Warp& warp, const DecodedBlock& block, Group& group) {
    u32 arriving = guarded_lanes(warp, block, group.mask);
    const u32 passing = group.mask & ~arriving, at = group.block;
    const u32* wanted_of = row<const u32>(warp, block.barrier);
    u32 wanted_by_any = 0;
    for_each_lane({arriving}, [&](int lane) { wanted_by_any |= wanted_of[lane]; });
    // Nobody is missing: lanes that named different others stay together.
    if ((wanted_by_any & warp.live & ~arriving) == 0 && passing == 0) {
        if (races_) races_->meet(warp, arriving);
        group.block = block.next;
        return;
    }
    while (arriving != 0) {
        // Lanes of one group may wait for different others.
        const u32 wanted = wanted_of[std::countr_zero(arriving)];
        u32 together = 0;
        for_each_lane({arriving}, [&](int lane) { together |= u32{wanted_of[lane] == wanted} << lane; });
        arriving &= ~together;
        warp.converging.push_back(
            {together, at, group.frame, block.control_site, block.barrier, wanted | together});
    }
    group = {block.next, passing, group.frame, group.yielded};
    release_complete(warp);
}

/// YIELD: the other lanes run first. Where none of them can, those that wait are let go; where none waits,
/// those that gave way before run.
void BlockRunner::give_way(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 yielding = guarded_lanes(warp, block, group.mask);
    group.block = block.next;
    if (yielding != group.mask || (warp.groups.empty() && warp.converging.empty())) return;
    warp.gave_way |= yielding;
    group.yielded = true;
    if (std::ranges::all_of(warp.groups, &Group::yielded) && !let_go(warp)) run_again(warp);
}

void BlockRunner::run_again(Warp& warp) {
    for (Group& group : warp.groups) group.yielded = false;
}

/// The lanes that it needs and that have not exited.
u32 BlockRunner::awaited(const Warp& warp, const ConvergeWait& wait) {
    const u32 wanted =
        wait.named != 0 ? wait.named : *reinterpret_cast<const u32*>(warp.registers + wait.barrier);
    return (wanted | wait.mask) & warp.live;
}

/// Lanes that go on execute the instruction again, those at one place together.
void BlockRunner::set_going(Warp& warp, const std::vector<ConvergeWait>& going) {
    const std::size_t before = warp.groups.size();
    for (const ConvergeWait& wait : going) {
        const auto met =
            std::find_if(warp.groups.begin() + static_cast<std::ptrdiff_t>(before), warp.groups.end(),
                         [&](const Group& group) { return group.block == wait.block; });
        if (met != warp.groups.end()) met->mask |= wait.mask;
        else warp.groups.push_back({wait.block, wait.mask, wait.frame, false});
    }
}

/// Lanes that wait for nobody any more: the others have come, have exited, or have left with BREAK.
void BlockRunner::release_complete(Warp& warp) {
    for (std::size_t i = 0; i < warp.converging.size();) {
        const ConvergeWait first = warp.converging[i];
        const u32 needed = awaited(warp, first);
        std::vector<ConvergeWait> going;
        u32 here = 0;
        bool one_place = true;
        for (const ConvergeWait& other : warp.converging) {
            if (other.barrier != first.barrier || (other.named != 0) != (first.named != 0) ||
                (other.mask & needed) == 0)
                continue;
            going.push_back(other);
            here |= other.mask;
            one_place &= other.block == first.block;
        }
        if ((needed & ~here) != 0) {
            ++i;
            continue;
        }
        std::erase_if(warp.converging, [&](const ConvergeWait& wait) { return (wait.mask & here) != 0; });
        if (first.named == 0) {
            lane_set(warp, first.barrier) = 0;
        } else if (!one_place) {
            // They pass: as a whole they are at no instruction.
            if (races_) races_->meet(warp, here);
            for (ConvergeWait& wait : going) wait.block = kernel().blocks[wait.block].next;
        }
        set_going(warp, going);
        i = 0;
    }
}

/// Where no warp of the block can run: lanes that wait for others of their warp, which wait for the block, go
/// on.
bool BlockRunner::let_go_of_waiting() {
    bool going = false;
    for (Warp& warp : warps_) going |= let_go(warp);
    return going;
}

/// Where each lane of a warp waits or has given way, the convergence barriers at which lanes wait for others
/// of these are cleared, and nobody is missed there any more. Lanes that wait for a mask (WARPSYNC) look
/// again whether all have come. Whether some lanes go on.
bool BlockRunner::let_go(Warp& warp) {
    u32 standing = warp.gave_way | warp.waiting;
    for (const ConvergeWait& wait : warp.converging) standing |= wait.mask;
    const auto stands_still = [&](const ConvergeWait& wait) {
        return (awaited(warp, wait) & ~standing) == 0;
    };
    const auto is_let_go = [&](const ConvergeWait& wait) { return wait.named == 0 && stands_still(wait); };
    if (warp.gave_way == 0 && std::ranges::none_of(warp.converging, is_let_go)) return false;
    std::vector<ConvergeWait> going;
    std::erase_if(warp.converging, [&](const ConvergeWait& wait) {
        if (!stands_still(wait)) return false;
        going.push_back(wait);
        return true;
    });
    for (const ConvergeWait& wait : going)
        if (wait.named == 0) lane_set(warp, wait.barrier) = 0;
    set_going(warp, going);
    return !going.empty();
}

}  // namespace warplens::simt
