// The visits of loops that left fewer records than passes, and of other blocks without any: by replayed
// branches, tallies, logs, or the record that follows.
#include "instrumentation/decode/warp_walk.h"

#include <algorithm>
#include <bit>

namespace warplens::instrumentation {

void WarpWalk::enter(std::uint64_t linear_block, int warp, std::uint64_t most_replayed) {
    replayed_ = 0;
    ways_.clear();
    most_replayed_ = most_replayed;
    if (table_.replays) replay_.begin(linear_block, warp, slots_);
}

void WarpWalk::add_visit(std::uint32_t block, std::uint32_t mask, std::uint32_t jumped, std::uint32_t unit) {
    visits_.push_back({block, mask, jumped, unit});
    if (table_.blocks[block].precedes_loop) hash_last_lanes(mask);
    if (!table_.replays) return;
    std::uint32_t step = table_.blocks[block].steps_begin;
    replay_.run_until(table_.blocks[block].last_site + 1, mask, step, slots_);
}

/// The lanes that jump. A loop that leaves no records ends here if it is too long to be listed.
std::uint32_t WarpWalk::replay_branch(const BlockRow& row, std::uint32_t mask, std::uint32_t unit) {
    took_bits_ = true;
    if (unit == no_record) broken_ |= ++replayed_ > most_replayed_;
    const std::uint32_t jumped = lanes_with(slots_[row.predicate], !row.negated) & mask;
    if (row.hashes_branch)
        for_each_lane({mask}, [&](int index) {
            std::uint32_t& hash = tally_hashes_[static_cast<std::size_t>(index)];
            hash = branch_step(hash, (jumped >> index & 1u) != 0);
        });
    return jumped;
}

/// The block to which lanes go on next: the lowest, or one before which those do not wait that leave a loop.
/// Where all lanes meet they wait for those that are elsewhere.
std::uint32_t WarpWalk::next_without_record() {
    if (order_ == Order::turns) return next_in_turn();
    std::uint32_t lowest = no_index, meeting = no_index;
    for (const Arrival& arrival : deferred_) {
        std::uint32_t& next = table_.blocks[arrival.block].lanes_meet ? meeting : lowest;
        next = std::min(next, arrival.block);
    }
    if (lowest == no_index) return meeting;
    for (const Arrival& arrival : deferred_) {
        const BlockRow& row = table_.blocks[arrival.block];
        for (std::uint32_t i = row.ahead_begin; i < row.ahead_end && order_ == Order::ahead; ++i)
            for (const Arrival& other : deferred_)
                if (other.block == table_.ahead[i]) return arrival.block;
    }
    return lowest;
}

/// As an H200 was seen to do it (docs/decisions/0019-lanes-that-give-way.md), as far as it is known. Of two
/// sides of a branch the one with fewer lanes goes on, until it waits, gives way or ends; then the other one.
/// Lanes that give way stand until nobody else can run; then those go on that wait for them, and then whoever
/// gave way first.
std::uint32_t WarpWalk::next_in_turn() {
    const Arrival *runs = nullptr, *gave_way = nullptr;
    std::uint32_t waits = no_index;
    const auto goes_before = [](const Arrival& a, const Arrival& b) {
        const int lanes = LaneMask{a.mask}.count(), others = LaneMask{b.mask}.count();
        if (a.from != b.from) return a.from > b.from;
        return lanes != others ? lanes < others : a.turn < b.turn;
    };
    for (const Arrival& arrival : deferred_) {
        const BlockRow& row = table_.blocks[arrival.block];
        const auto holds_back = [&](const Arrival& other) {
            return other.block < arrival.block || (row.lanes_meet && other.block > arrival.block);
        };
        const bool meets = row.lanes_meet || (row.hashes_lanes && !waits_over_[arrival.block]);
        if (row.gives_way) {
            if (gave_way == nullptr || arrival.turn < gave_way->turn) gave_way = &arrival;
        } else if (meets && std::ranges::any_of(deferred_, holds_back)) {
            waits = std::min(waits, arrival.block);
        } else if (runs == nullptr || goes_before(arrival, *runs)) {
            runs = &arrival;
        }
    }
    if (runs != nullptr) return runs->block;
    if (waits == no_index) return gave_way->block;
    waits_over_[waits] = true;
    return waits;
}

/// The block of the lanes that came last, and their `turn`. Where all lanes meet they wait.
std::uint32_t WarpWalk::next_apart(std::uint32_t& alone) const {
    const Arrival* last = nullptr;
    for (const Arrival& arrival : deferred_)
        if (!table_.blocks[arrival.block].lanes_meet && (last == nullptr || arrival.turn > last->turn))
            last = &arrival;
    alone = last ? last->turn : 0;
    return last ? last->block : std::ranges::min(deferred_, {}, &Arrival::block).block;
}

/// The `turn` of those before the block that came last.
std::uint32_t WarpWalk::last_before(std::uint32_t block) const {
    std::uint32_t last = 0;
    for (const Arrival& arrival : deferred_)
        if (arrival.block == block) last = std::max(last, arrival.turn);
    return last;
}

/// Of the ways to go on but the order's own the one that was chosen: other lanes, or of several that came to
/// `block` those alone that came last, where the order has all of them go on, or all. The `turn` of lanes
/// that go on alone, else 0, as `alone` is of the order.
std::uint32_t WarpWalk::choose(std::uint32_t& block, std::uint32_t alone) {
    std::vector<std::uint32_t> others;
    std::uint32_t came = 0, last = 0;
    for (const Arrival& arrival : deferred_) {
        if (arrival.block == block) {
            ++came;
            last = std::max(last, arrival.turn);
        } else if (std::ranges::find(others, arrival.block) == others.end()) {
            others.push_back(arrival.block);
        }
    }
    const auto ways = static_cast<std::uint32_t>(1 + (came > 1) + others.size());
    if (ways == 1) return alone;
    const auto at = static_cast<std::uint32_t>(ways_.size());
    ways_.push_back(ways);
    const auto chosen = std::ranges::find(*choices_, at, &Choice::at);
    if (chosen == choices_->end() || chosen->which == 0 || chosen->which >= ways) return alone;
    if (chosen->which > others.size()) return alone == 0 ? last : 0;
    block = others[chosen->which - 1];
    return 0;
}

/// Of the lanes before blocks that leave no record, those before one block go on, all of them together unless
/// the order or a choice says otherwise. False if there are none.
bool WarpWalk::go_on_without_records() {
    if (deferred_.empty()) return false;
    std::uint32_t alone = 0;
    std::uint32_t lowest = order_ == Order::apart ? next_apart(alone) : next_without_record();
    if (order_ == Order::parted && table_.blocks[lowest].keeps_apart) alone = last_before(lowest);
    if (choices_) alone = choose(lowest, alone);
    std::uint32_t mask = 0;
    std::erase_if(deferred_, [&](const Arrival& arrival) {
        const bool goes = arrival.block == lowest && (alone == 0 || arrival.turn == alone);
        if (goes) mask |= arrival.mask;
        return goes;
    });
    if (table_.blocks[lowest].source == BlockPlan::Source::tallied) {
        visit_tallied(lowest, mask);
    } else {
        if (table_.blocks[lowest].hashes_lanes) hash_lanes(table_.blocks[lowest], mask);
        if (table_.blocks[lowest].lanes_meet)
            broken_ |= !deferred_.empty() || group_count_ > 0 || !arrivals_.empty();
        visit(lowest, mask, no_record, nullptr);
    }
    return !broken_;
}

void WarpWalk::hash_last_lanes(std::uint32_t mask) {
    for_each_lane({mask}, [&](int index) {
        const auto lane = static_cast<std::size_t>(index);
        tally_hashes_[lane] = tally_step(tally_hashes_[lane], last_lanes_[lane]);
    });
}

void WarpWalk::hash_lanes(const BlockRow& row, std::uint32_t mask) {
    if (!row.hashes_last_pass) hash_last_lanes(mask);
    for_each_lane({mask}, [&](int lane) { last_lanes_[static_cast<std::size_t>(lane)] = mask; });
}

std::span<const std::uint32_t> WarpWalk::log() const {
    return tallies_.subspan(std::min(tallies_.size(), warp_size * (1 + std::size_t{table_.tallies})));
}

/// The lanes that jumped, by the next bit of each lane's log.
std::uint32_t WarpWalk::take_bits(std::uint32_t mask) {
    std::uint32_t jumped = 0;
    for_each_lane({mask}, [&](int lane) {
        if (take_bit(static_cast<std::size_t>(lane))) jumped |= 1u << lane;
    });
    took_bits_ = true;
    return jumped;
}

/// Likewise at a branch that counts_passes: by the number of visits, which their logs have.
std::uint32_t WarpWalk::take_passes(const BlockRow& row, std::uint32_t mask) {
    std::uint32_t stay = 0;
    for_each_lane({mask}, [&](int index) {
        const auto lane = static_cast<std::size_t>(index);
        const std::uint32_t own = 1u << index;
        std::uint32_t& left = passes_left_[lane];
        if (left == 0) {
            for (std::uint32_t bit = 0; bit < table_.pass_bits && !broken_; ++bit)
                left = left << 1 | (take_bit(lane) ? 1u : 0u);
            leaves_last_ |= own;
            if (row.logs_left && !broken_ && !take_bit(lane)) leaves_last_ &= ~own;
            broken_ |= left == 0;
        }
        if (!broken_ && (--left != 0 || (leaves_last_ & own) == 0)) stay |= own;
    });
    took_bits_ = true;
    return row.stays_by_jump ? stay : mask & ~stay;
}

bool WarpWalk::take_bit(std::size_t lane) {
    LogPlace& place = log_places_[lane];
    while (place.left == 0) {
        const std::size_t at = std::size_t{place.word++} * warp_size + lane;
        place.bits = at < log().size() ? log()[at] : 0;
        broken_ |= place.bits == 0;
        if (broken_) return false;
        place.left = static_cast<std::uint32_t>(std::bit_width(place.bits)) - 1;
    }
    return (place.bits >> --place.left & 1u) != 0;
}

/// Nothing is left in any lane's log.
bool WarpWalk::logs_end() const {
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if (log_places_[lane].left != 0) return false;
        for (std::size_t at = std::size_t{log_places_[lane].word} * warp_size + lane; at < log().size();
             at += warp_size)
            if (log()[at] > 1) return false;
    }
    return true;
}

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
    const bool leaves_apart =
        block + 1 < table_.blocks.size() && table_.blocks[block + 1].source == BlockPlan::Source::logged;
    std::uint32_t active = mask;
    for (std::uint32_t pass = 1; active != 0 && !broken_; ++pass) {
        const std::uint32_t left = lanes_after(active, pass);
        add_visit(block, active, left, no_record);
        hash_lanes(table_.blocks[block], active);
        // As they leave, where they may go on apart.
        if (leaves_apart && left != active) arrive(block + 1, active & ~left);
        active = left;
    }
    if (!leaves_apart) arrive(block + 1, mask);
}

bool WarpWalk::tallies_hold() {
    if (!logs_end()) return false;
    hash_last_lanes(LaneMask::all().bits);
    if (table_.warp_hash && !tallies_.empty()) {
        std::uint32_t sum = 0;
        for (const std::uint32_t hash : tally_hashes_) sum += tally_sum(hash);
        if (tallies_[0] != sum) return false;
    }
    for (std::size_t i = table_.warp_hash ? warp_size : 0; i < tallies_.size() - log().size(); ++i) {
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
