// How a warp ends: its lanes together, or some of them before the others.
#include "instrumentation/decode/warp_walk.h"

namespace warplens::instrumentation {

namespace {

using End = BlockRow::End;

}  // namespace

/// The lanes that have left and wait for the others there, if it is a way out. No longer, then.
std::uint32_t WarpWalk::join_those_who_left(std::uint32_t block) {
    std::uint32_t joined = 0;
    std::erase_if(left_, [&](const auto& left) {
        if (left.first == block) joined |= left.second;
        return left.first == block;
    });
    left_lanes_ &= ~joined;
    return joined;
}

/// Whether the lanes of a group have left the kernel by the instruction that ended their last block.
bool WarpWalk::has_left(const Group& group) {
    if (group.next != no_index) return false;
    WalkedVisit& from = visits_[group.from];
    const BlockRow& row = table_.blocks[from.block];
    const bool leaves = row.end == End::exits || row.end == End::leaves_function ||
                        (row.end == End::branches && row.target == no_index);
    if (leaves) from.jumped |= group.mask;
    return leaves;
}

void WarpWalk::leave(const BlockRow& row, std::uint32_t lanes) {
    left_lanes_ |= lanes;
    if (row.lanes_leave_first) add_visit(row.target, lanes, lanes, no_record);
    else left_.emplace_back(row.target, lanes);
}

/// The others have left elsewhere.
bool WarpWalk::end_those_who_left() {
    const std::uint32_t block = left_.back().first;
    arrive(block, join_those_who_left(block));
    return settle();
}

bool WarpWalk::end() {
    std::size_t budget = (table_.blocks.size() + 1) * warp_size;
    carried_ = passes_ = 0;
    while (group_count_ != 0 || !left_.empty()) {
        if (group_count_ == 0 && !end_those_who_left()) return false;
        if (table_.passes && !pass_to(no_index)) return false;
        bool moved = false;
        for (std::size_t i = 0; i < group_count_;) {
            if (!has_left(groups_[i])) {
                ++i;
                continue;
            }
            groups_[i] = groups_[--group_count_];
            moved = true;
        }
        for (std::size_t i = 0; i < group_count_ && !moved; ++i) {
            moved = step(groups_[i].mask, 0);
            if (broken_) return false;
        }
        if (!moved || budget-- == 0) return false;
    }
    return true;
}

}  // namespace warplens::instrumentation
