// Where the lanes of a warp meet in machine code: at convergence barriers (BSYNC) and at masks that are named
// (WARPSYNC). Lanes that wait go on once all others that they wait for have come or have exited; groups that
// are released at the same place are one from then on.
#include <algorithm>
#include <bit>

#include "simt/functional/block/block_runner.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void BlockRunner::converge(Warp& warp, const DecodedBlock& block, Group& group) {
    u32 arriving = guarded_lanes(warp, block, group.mask);
    const u32 passing = group.mask & ~arriving;
    const bool named = block.control == Control::converge_named;
    const u32* wanted_of = row<const u32>(warp, block.barrier);
    u32 wanted_by_any = 0;
    for_each_lane({arriving}, [&](int lane) { wanted_by_any |= wanted_of[lane]; });
    // Nobody is missing: lanes that named different others stay together.
    if ((wanted_by_any & warp.live & ~arriving) == 0 && passing == 0) {
        if (races_ && named) races_->meet(warp, arriving);
        group.block = block.next;
        return;
    }
    while (arriving != 0) {
        // Lanes of one group may wait for different others.
        const u32 wanted = wanted_of[std::countr_zero(arriving)];
        u32 together = 0;
        for_each_lane({arriving}, [&](int lane) { together |= u32{wanted_of[lane] == wanted} << lane; });
        arriving &= ~together;
        warp.converging.push_back({together, block.next, group.frame, block.control_site, block.barrier,
                                   named ? wanted | together : 0});
    }
    group = {block.next, passing, group.frame, group.yielded};
}

/// YIELD: the other lanes run first.
void BlockRunner::give_way(Warp& warp, const DecodedBlock& block, Group& group) {
    warp.gave_way |= guarded_lanes(warp, block, group.mask);
    group.block = block.next;
    group.yielded = true;
    if (warp.groups.empty()) let_go(warp);
}

/// The lanes that it needs and that have not exited.
u32 BlockRunner::awaited(const Warp& warp, const ConvergeWait& wait) {
    const u32* masks = reinterpret_cast<const u32*>(warp.registers + wait.barrier);
    const u32 wanted = wait.named != 0 ? wait.named : masks[std::countr_zero(wait.mask)];
    return (wanted | wait.mask) & warp.live;
}

void BlockRunner::release_converged(Warp& warp) {
    for (std::size_t i = 0; i < warp.converging.size();) {
        const ConvergeWait first = warp.converging[i];
        const u32 needed = awaited(warp, first);
        // A recursive function uses one barrier at every depth: lanes of another depth wait for other lanes.
        const auto same = [&](const ConvergeWait& other) {
            return other.barrier == first.barrier && (other.named != 0) == (first.named != 0) &&
                   (other.mask & needed) != 0 && (other.named != 0 || awaited(warp, other) == needed);
        };
        u32 here = 0;
        for (const ConvergeWait& other : warp.converging)
            if (same(other)) here |= other.mask;
        if ((needed & ~here) != 0) {
            ++i;
            continue;
        }
        if (races_ && first.named != 0) races_->meet(warp, here);
        const std::size_t before = warp.groups.size();
        for (const ConvergeWait& other : warp.converging) {
            if (!same(other)) continue;
            const auto met =
                std::find_if(warp.groups.begin() + static_cast<std::ptrdiff_t>(before), warp.groups.end(),
                             [&](const Group& group) { return group.block == other.resume_block; });
            if (met != warp.groups.end()) met->mask |= other.mask;
            else warp.groups.push_back({other.resume_block, other.mask, other.frame, false});
        }
        std::erase_if(warp.converging, same);
        i = 0;
    }
}

/// Where each lane of a warp waits or has given way, the hardware clears the convergence barriers at which
/// lanes wait for others of these: each set goes on by itself, and nobody is missed there any more. Lanes
/// that wait for a mask (WARPSYNC) stay. Whether some went on. As an H200 does:
/// docs/decisions/0019-lanes-that-give-way.md.
bool BlockRunner::let_go(Warp& warp) {
    if (warp.converging.empty()) return false;
    u32 standing = warp.gave_way;
    for (const ConvergeWait& wait : warp.converging) standing |= wait.mask;
    std::vector<ConvergeWait> going;
    std::erase_if(warp.converging, [&](const ConvergeWait& wait) {
        if (wait.named != 0 || (awaited(warp, wait) & ~standing) != 0) return false;
        going.push_back(wait);
        return true;
    });
    for (const ConvergeWait& wait : going) {
        u32* members = row<u32>(warp, wait.barrier);
        for_each_lane({awaited(warp, wait)}, [&](int lane) {
            if ((members[lane] & wait.mask) != 0) members[lane] = 0;
        });
        push(warp, {wait.resume_block, wait.mask, wait.frame, false});
    }
    return !going.empty();
}

/// To the address in a pair of registers: RET.
void BlockRunner::jump(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 jumping = guarded_lanes(warp, block, group.mask);
    const Group rest{block.next, group.mask & ~jumping, group.frame, group.yielded};
    jump_lanes(warp, block, group, jumping, block.table_index, block.offset);
    group = rest;
}

void BlockRunner::jump_lanes(Warp& warp, const DecodedBlock& block, const Group& group, u32 lanes, Row pair,
                             u64 offset) {
    constexpr u64 instruction_bytes = 16;
    const std::vector<u32>& blocks = kernel().tables[block.target];
    const u32 *lower = row<const u32>(warp, pair), *upper = row<const u32>(warp, pair + warp_size * 4);
    const auto to = [&](int lane) { return (u64{upper[lane]} << 32 | lower[lane]) + offset; };
    while (lanes != 0) {
        const u64 address = to(std::countr_zero(lanes));
        u32 together = 0;
        for_each_lane({lanes}, [&](int lane) { together |= u32{to(lane) == address} << lane; });
        lanes &= ~together;
        const u64 at = address / instruction_bytes;
        if (address % instruction_bytes == 0 && at < blocks.size() && blocks[at] != no_index) {
            push(warp, {blocks[at], together, group.frame, group.yielded});
            continue;
        }
        report(warp, block.control_site, together, ProblemKind::out_of_bounds, address,
               fmt::format("jumps to {:#x}, where no basic block of the kernel begins", address));
        exit_lanes(warp, together);
    }
}

}  // namespace warplens::simt
