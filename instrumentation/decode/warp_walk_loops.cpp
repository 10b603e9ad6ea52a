// The visits of loops that left fewer records than passes, and of other blocks of whole warps without any.
#include "instrumentation/decode/warp_walk.h"

namespace warplens::instrumentation {

/// All passes through the loop of lanes that enter it together: each lane's own number of them.
void WarpWalk::visit_tallied(std::uint32_t block, std::uint32_t mask) {
    const std::uint32_t tally = table_.blocks[block].tally;
    const auto passes = tallies_.subspan(warp_size * (1 + std::size_t{tally}), warp_size);
    const auto lanes_after = [&](std::uint32_t lanes, std::uint32_t pass) {
        std::uint32_t left = 0;
        for_each_lane({lanes}, [&](int lane) {
            if (passes[static_cast<std::size_t>(lane)] > pass) left |= 1u << lane;
        });
        return left;
    };
    // Each lane enters once, and runs the block at least once.
    broken_ |= (tallied_[tally] & mask) != 0 || lanes_after(mask, 0) != mask;
    if (broken_) return;
    tallied_[tally] |= mask;
    std::uint32_t active = mask;
    for (std::uint32_t pass = 1; active != 0; ++pass) {
        const std::uint32_t left = lanes_after(active, pass);
        visits_.push_back({block, active, left, no_record});
        for_each_lane({active}, [&](int lane) {
            std::uint32_t& hash = tally_hashes_[static_cast<std::size_t>(lane)];
            hash = tally_step(hash, active);
        });
        active = left;
    }
    arrive(block + 1, mask);
}

bool WarpWalk::tallies_hold() const {
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
        const std::size_t lane = i % warp_size;
        const bool visited = i < warp_size || (tallied_[i / warp_size - 1] >> lane & 1u) != 0;
        if (tallies_[i] != (i < warp_size ? tally_hashes_[lane] : visited ? tallies_[i] : 0)) return false;
    }
    return true;
}

/// The way of a whole warp to its next record, over blocks that leave none. False if there is no such way.
bool WarpWalk::pass_to(std::uint32_t record) {
    while (group_count_ == 1 && !broken_) {
        const Group group = groups_[0];
        if (group.next == no_index) {
            if (!take_route(record)) return true;
        } else if (group.next == record && passes_ == 0) {
            return true;
        } else if (is_complete(group)) {
            meet(0);
        } else if (table_.blocks[group.next].source == BlockPlan::Source::passed) {
            const BlockRow& row = table_.blocks[group.next];
            if (row.begins_counted && passes_-- == 0) return false;
            group_count_ = 0;
            visit(group.next, group.mask, no_record, row.ballot == no_index ? nullptr : &carried_);
        } else {
            return true;
        }
        if (!settle()) return false;
    }
    return !broken_;
}

/// Where a branch sends all lanes, by the record that follows. False if it does not show that.
bool WarpWalk::take_route(std::uint32_t record) {
    const Group group = groups_[0];
    WalkedVisit& from = visits_[group.from];
    const BlockRow& row = table_.blocks[from.block];
    for (std::uint32_t i = row.routes_begin; i < row.routes_end; ++i) {
        const BlockPlan::Route& route = table_.routes[i];
        if (route.record != record || route.looped != (passes_ > 0)) continue;
        if (route.jumps) from.jumped = group.mask;
        group_count_ = 0;
        if (!route.jumps) arrive(from.block + 1, group.mask);
        else if (row.target != no_index) arrive(row.target, group.mask);
        else return false;
        return true;
    }
    return false;
}

}  // namespace warplens::instrumentation
