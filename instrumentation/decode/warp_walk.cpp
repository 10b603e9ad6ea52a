#include "instrumentation/decode/warp_walk.h"

#include <utility>

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;
using End = BlockRow::End;

}  // namespace

bool WarpWalk::begin(LaneMask lanes, std::uint32_t head_ballot, std::span<const std::uint32_t> tallies) {
    tallies_ = tallies;
    tally_hashes_.fill(0);
    last_lanes_.fill(0);
    tallied_.assign(table_.tallies, 0);
    log_places_ = {};
    passes_left_ = {};
    deferred_.clear();
    turns_ = 0;
    waits_over_.assign(table_.gives_way ? table_.blocks.size() : 0, false);
    group_count_ = 0;
    broken_ = false;
    arrivals_.clear();
    lanes_ = lanes.bits;
    left_.clear();
    left_lanes_ = 0;
    for (auto& captured : captured_) captured.clear();
    depths_.fill(0);
    if (table_.blocks[0].source == Source::whole) {
        const bool balloted = table_.blocks[0].ballot != no_index;
        visit(0, lanes.bits, no_record, balloted ? &head_ballot : nullptr);
    } else {
        arrive(0, lanes.bits);
    }
    return settle();
}

void WarpWalk::wait(const Group& group) {
    // Lanes that come one by one to where they wait for one record.
    for (std::size_t i = 0; i < group_count_ && group.next != no_index && group.captured == 0; ++i) {
        if (groups_[i].next != group.next || groups_[i].captured != 0) continue;
        groups_[i].mask |= group.mask;
        return;
    }
    if (group_count_ == groups_.size()) {
        broken_ = true;
        return;
    }
    groups_[group_count_++] = group;
}

std::uint32_t WarpWalk::at_depth(std::uint32_t lanes, std::uint32_t depth) const {
    if (!calls_) return lanes;
    std::uint32_t found = 0;
    for_each_lane({lanes}, [&](int lane) {
        if (depths_[static_cast<std::size_t>(lane)] == depth) found |= 1u << lane;
    });
    return found;
}

/// Separately in each activation of a function, like the registers in which a kernel keeps it.
void WarpWalk::capture(std::uint32_t anchor, std::uint32_t mask) {
    std::vector<Captured>& all = captured_[anchor];
    for (std::uint32_t rest = mask; rest != 0;) {
        const std::uint32_t depth = depths_[static_cast<std::size_t>(LaneMask{rest}.lowest())];
        const std::uint32_t lanes = at_depth(rest, depth);
        rest &= ~lanes;
        std::size_t kept = 0;
        for (Captured entry : all) {
            if (entry.depth == depth) entry.lanes &= ~lanes;
            if (entry.lanes != 0) all[kept++] = entry;
        }
        all.resize(kept);
        all.push_back({lanes, mask, depth});
    }
}

bool WarpWalk::call_or_return(std::uint32_t lanes, bool calls) {
    bool good = true;
    for_each_lane({lanes}, [&](int lane) {
        std::uint32_t& depth = depths_[static_cast<std::size_t>(lane)];
        good &= calls || depth > 0;
        depth += calls ? 1 : -1;
    });
    if (calls || !good) return good;
    for (std::vector<Captured>& all : captured_) {
        std::size_t kept = 0;
        for (Captured entry : all) {
            for_each_lane({entry.lanes & lanes}, [&](int lane) {
                if (entry.depth > depths_[static_cast<std::size_t>(lane)]) entry.lanes &= ~(1u << lane);
            });
            if (entry.lanes != 0) all[kept++] = entry;
        }
        all.resize(kept);
    }
    return true;
}

/// Lanes `mask` visit a block; where each continues is noted.
void WarpWalk::visit(std::uint32_t block, std::uint32_t mask, std::uint32_t unit,
                     const std::uint32_t* ballot) {
    const BlockRow& row = table_.blocks[block];
    const auto index = static_cast<std::uint32_t>(visits_.size());
    add_visit(block, mask, 0, unit);
    if (row.anchor != no_index) capture(row.anchor, mask);
    const bool shown = row.logs_branch || row.predicate != no_index;
    const std::uint32_t known = row.predicate != no_index ? replay_branch(row, mask, unit)
                                : row.counts_passes       ? take_passes(row, mask)
                                : row.logs_branch         ? take_bits(mask)
                                : ballot                  ? *ballot & mask
                                                          : 0;
    const auto jumped = [&](std::uint32_t lanes) { visits_[index].jumped = lanes; };
    switch (row.end) {
        case End::falls:
            jumped(ballot ? known : mask);
            arrive(block + 1, mask);
            return;
        case End::jumps:
            jumped(mask);
            arrive(row.target, mask);
            return;
        case End::branches:
            if (!ballot && !shown) {
                wait({mask, no_index, index, 0});
                return;
            }
            jumped(known);
            if (row.lanes_leave && known != 0 && known != mask) {
                leave(row, known);
            } else if (known != 0) {
                if (row.target != no_index) arrive(row.target, known);
                else wait({known, no_index, index, 0});
            }
            break;
        case End::exits:
            if (row.guarded && !ballot) {
                wait({mask, no_index, index, 0});
                return;
            }
            jumped(row.guarded ? known : mask);
            if (!row.guarded) return;
            break;
        case End::jumps_by_table:
        case End::leaves_function:
        case End::calls:
            if (!ballot || !row.guarded) {
                wait({mask, no_index, index, 0});
                return;
            }
            jumped(known);
            if (known != 0) wait({known, no_index, index, 0});
            break;
    }
    if ((mask & ~known) != 0) arrive(block + 1, mask & ~known);
}

void WarpWalk::wait_to_meet(std::uint32_t block, std::uint32_t mask) {
    const std::uint32_t anchor = table_.blocks[table_.blocks[block].follows].anchor;
    for (const Captured& entry : captured_[anchor]) {
        const std::uint32_t lanes = at_depth(entry.lanes & mask, entry.depth);
        if (lanes == 0) continue;
        mask &= ~lanes;
        bool merged = false;
        for (std::size_t i = 0; i < group_count_ && !merged; ++i) {
            Group& group = groups_[i];
            merged = group.next == block && group.captured == entry.mask;
            if (merged) group.mask |= lanes;
        }
        if (!merged) wait({lanes, block, 0, entry.mask});
    }
    // Lanes that did not visit the block with which they would be compared are recorded.
    if (mask != 0) wait({mask, block, 0, 0});
}

/// Handles arrivals until every lane waits for a record, for others or for nothing.
bool WarpWalk::settle() {
    // No lane visits a block twice without a record in between; otherwise the plan could not show how often.
    const std::size_t full_budget = (table_.blocks.size() + 1) * warp_size;
    std::size_t budget = full_budget;
    while (!arrivals_.empty() || go_on_without_records()) {
        if (arrivals_.empty()) continue;
        Arrival arrival = arrivals_.back();
        arrivals_.pop_back();
        arrival.mask |= join_those_who_left(arrival.block);
        if (std::exchange(took_bits_, false)) budget = full_budget;
        if (budget-- == 0) broken_ = true;
        if (broken_) return false;
        if (arrival.block >= table_.blocks.size()) continue;  // after the last block: the end
        switch (table_.blocks[arrival.block].source) {
            case Source::recorded:
            case Source::passed:
                wait({arrival.mask, arrival.block, 0, 0});
                break;
            case Source::implied:
            case Source::balloted:
                visit(arrival.block, arrival.mask, no_record, nullptr);
                break;
            case Source::tallied:
            case Source::logged:
                deferred_.push_back({arrival.block, arrival.mask, ++turns_, visits_.size()});
                break;
            case Source::checked:
                wait_to_meet(arrival.block, arrival.mask);
                break;
            case Source::whole:
                return false;
        }
    }
    return !broken_;
}

bool WarpWalk::is_complete(const Group& group) const {
    return group.next != no_index && group.captured != 0 &&
           ((group.mask ^ group.captured) & ~left_lanes_) == 0;
}

/// All lanes that must have arrived together and left no record.
void WarpWalk::meet(std::size_t index) {
    const Group group = groups_[index];
    groups_[index] = groups_[--group_count_];
    visit(group.next, group.mask, no_record, nullptr);
}

/// The lanes branched to the one side that leaves no record.
bool WarpWalk::go_to_checked(Group& group, std::uint32_t lanes, std::uint32_t except) {
    WalkedVisit& from = visits_[group.from];
    const BlockRow& row = table_.blocks[from.block];
    if (row.end != End::branches) return false;
    const auto is_candidate = [&](std::uint32_t block) {
        return block < table_.blocks.size() && block != except &&
               table_.blocks[block].source == Source::checked;
    };
    const bool to_target = is_candidate(row.target), falls = is_candidate(from.block + 1);
    if (to_target == falls) return false;
    if (to_target) from.jumped |= lanes;
    group.mask &= ~lanes;
    arrive(to_target ? row.target : from.block + 1, lanes);
    drop_empty();
    return settle();
}

/// `lanes` of a group whose path was unknown are next recorded in `block`. `moved`: they visited a block that
/// leaves no record and are elsewhere now.
bool WarpWalk::resolve(Group& group, std::uint32_t lanes, std::uint32_t block, bool& moved) {
    WalkedVisit& from = visits_[group.from];
    const BlockRow& row = table_.blocks[from.block];
    const bool falls = block == from.block + 1;
    switch (row.end) {
        case End::branches:
            if (block == row.target || falls) {
                if (!falls) from.jumped |= lanes;
                return true;
            }
            if (row.target == no_index) {
                from.jumped |= lanes;
                return call_or_return(lanes, false);
            }
            moved = true;
            return go_to_checked(group, lanes, block);
        case End::exits:
            return falls;
        case End::calls:
            if (!falls) from.jumped |= lanes;
            // A function that is not in the module leaves no visits.
            return falls || call_or_return(lanes, true);
        case End::leaves_function:
            // Lanes that did not leave continue after it, and a caller may be there, too.
            if (falls && row.guarded) return true;
            from.jumped |= lanes;
            return call_or_return(lanes, false);
        default:
            if (!falls) from.jumped |= lanes;
            return true;
    }
}

/// Whether a whole group is before a block that has a record; if so, its branch is resolved.
bool WarpWalk::goes_to(const Group& group, std::uint32_t block) {
    if (group.next != no_index) return group.next == block;
    WalkedVisit& from = visits_[group.from];
    const BlockRow& row = table_.blocks[from.block];
    if (row.end != End::branches) return false;
    if (block == from.block + 1) return true;
    if (block != row.target) return false;
    from.jumped = group.mask;
    return true;
}

void WarpWalk::drop_empty() {
    for (std::size_t i = 0; i < group_count_;) {
        if (groups_[i].mask == 0) groups_[i] = groups_[--group_count_];
        else ++i;
    }
}

/// Some of `lanes` have continued past blocks that leave no record, and all of them where they reconverge:
/// takes one step of one group. False if none can have moved.
bool WarpWalk::step(std::uint32_t lanes, int depth) {
    if (depth > warp_size) return false;
    for (std::size_t i = 0; i < group_count_; ++i) {
        Group& group = groups_[i];
        const std::uint32_t moving = group.mask & lanes;
        if (moving == 0) continue;
        if (group.next == no_index) {
            if (go_to_checked(group, moving, no_index)) return true;
            if (broken_) return false;
        } else if (is_complete(group)) {
            meet(i);
            return settle();
        } else if ((group.captured & ~group.mask & ~left_lanes_) != 0) {
            return step(group.captured & ~group.mask & ~left_lanes_, depth + 1);
        }
    }
    return false;
}

bool WarpWalk::record(std::uint32_t block, std::uint32_t active, std::uint32_t unit, std::uint32_t ballot,
                      std::uint32_t carried) {
    if (table_.passes) {
        carried_ = carried;
        passes_ = table_.blocks[block].carries == BlockPlan::Carries::count ? carried : 0;
        if (!pass_to(block)) return false;
    }
    if (left_lanes_ != 0) {
        const bool all = active == lanes_;
        if (const std::uint32_t joined = join_those_who_left(block); joined != 0) wait({joined, block, 0, 0});
        if (all) active &= ~left_lanes_;
    }
    if (group_count_ == 1 && groups_[0].mask == active && goes_to(groups_[0], block)) {
        // All lanes together, as nearly always.
        group_count_ = 0;
        const BlockRow& row = table_.blocks[block];
        if (row.end == End::branches && row.ballot == no_index && row.anchor == no_index &&
            !row.logs_branch && row.predicate == no_index) {
            groups_[group_count_++] = {active, no_index, static_cast<std::uint32_t>(visits_.size()), 0};
            add_visit(block, active, 0, unit);
            return !broken_;
        }
        visit(block, active, unit, row.ballot == no_index ? nullptr : &ballot);
        return settle();
    }
    std::uint32_t rest = active;
    std::size_t budget = (table_.blocks.size() + 1) * warp_size;
    for (std::size_t i = 0; i < group_count_ && rest != 0;) {
        Group& group = groups_[i];
        const std::uint32_t lanes = group.mask & rest;
        if (lanes == 0) {
            ++i;
            continue;
        }
        if (group.next == no_index) {
            bool moved = false;
            if (!resolve(group, lanes, block, moved)) return false;
            if (moved) {
                if (budget-- == 0 || (table_.passes && !pass_to(block))) return false;
                i = 0;
                continue;
            }
        } else if (group.next != block) {
            if (budget-- == 0 || !step(lanes, 0)) return false;
            if (table_.passes && !pass_to(block)) return false;
            i = 0;
            continue;
        }
        rest &= ~lanes;
        group.mask &= ~lanes;
        if (group.mask == 0) groups_[i] = groups_[--group_count_];
        else ++i;
    }
    if (rest != 0 || (table_.passes && passes_ != 0)) return false;
    visit(block, active, unit, table_.blocks[block].ballot == no_index ? nullptr : &ballot);
    return settle();
}

}  // namespace warplens::instrumentation
