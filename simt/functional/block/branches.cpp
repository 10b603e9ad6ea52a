// Where the lanes of a group go at a branch, a table or an address in registers.
#include <bit>

#include "simt/functional/block/block_runner.h"

namespace warplens::simt {

/// Lanes of a group's go elsewhere. As an H200 does: the side with fewer lanes runs first, at a tie the one
/// that the group is.
void BlockRunner::part(Warp& warp, Group& group, u32 block, u32 lanes) {
    Group other{block, lanes, group.frame, group.yielded};
    if (group.mask == 0 || std::popcount(lanes) < std::popcount(group.mask)) std::swap(group, other);
    if (other.mask != 0) leave(warp, other);
}

void BlockRunner::branch(Warp& warp, const DecodedBlock& block, Group& group) {
    if (!block.guarded) {
        group.block = block.target;
        return;
    }
    const u32 holds = predicate(warp, block.guard);
    const u32 taken = group.mask & (block.guard_negated ? ~holds : holds);
    if (observer_) observer_->branch(static_cast<int>(warp.index), block.control_site, {group.mask}, {taken});
    const u32 next = block.next;
    if (taken == group.mask) {
        group.block = block.target;
    } else if (taken == 0) {
        group.block = next;
    } else {
        group.mask &= ~taken;
        group.block = next;
        part(warp, group, block.target, taken);
    }
}

void BlockRunner::branch_by_table(Warp& warp, const DecodedBlock& block, Group& group) {
    const std::vector<u32>& table = kernel().tables[block.target];
    const u32* index = row<const u32>(warp, block.table_index);
    const u32 jumping = guarded_lanes(warp, block, group.mask);
    u32 outside = 0;
    for_each_lane({jumping}, [&](int lane) {
        if (index[lane] < table.size())
            push(warp, {table[index[lane]], 1u << lane, group.frame, group.yielded});
        else outside |= 1u << lane;
    });
    if (outside != 0) {
        report(warp, block.control_site, outside, ProblemKind::out_of_bounds, 0,
               fmt::format("jumps to entry {} of a table of {}", index[std::countr_zero(outside)],
                           table.size()));
        exit_lanes(warp, outside);
    }
    group.go_on(block.next, group.mask & ~jumping);
}

/// To the address in a pair of registers: RET.
void BlockRunner::jump(Warp& warp, const DecodedBlock& block, Group& group) {
    const u32 jumping = guarded_lanes(warp, block, group.mask);
    group.block = block.next;
    group.mask &= ~jumping;
    jump_lanes(warp, block, group, jumping, block.table_index, block.offset);
}

void BlockRunner::jump_lanes(Warp& warp, const DecodedBlock& block, Group& group, u32 lanes, Row pair,
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
            part(warp, group, blocks[at], together);
            continue;
        }
        report(warp, block.control_site, together, ProblemKind::out_of_bounds, address,
               fmt::format("jumps to {:#x}, where no basic block of the kernel begins", address));
        exit_lanes(warp, together);
    }
}

}  // namespace warplens::simt
