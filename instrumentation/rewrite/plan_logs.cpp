#include "instrumentation/rewrite/plan_logs.h"

#include <algorithm>

#include "instrumentation/rewrite/count_passes.h"
#include "instrumentation/rewrite/hash_lanes.h"
#include "instrumentation/rewrite/launch_values.h"
#include "instrumentation/rewrite/meet_behind_loops.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;

/// Bits that a lane may log before its word is looked at: the fewer, the fuller are the words.
constexpr std::uint32_t most_bits_between = 12;

/// Outside of loops, as where one is unrolled, this many records cost more than a log.
constexpr std::size_t least_records_saved = 2;

/// Larger kernels keep their records, as in pass_blocks.cpp.
constexpr std::size_t most_logged_blocks = 400;

/// `bra`, with or without a guard, or no branch at all.
bool goes_on_visibly(const ptx::Instruction& last) {
    switch (ptx::site_kind(last)) {
        case SiteKind::branch:
            return last.opcode == "bra";
        case SiteKind::lanewise:
        case SiteKind::memory:
            return true;
        case SiteKind::warp_wide:
            return last.opcode != "bar";
        default:
            return false;
    }
}

bool leaves_for_good(const ptx::Instruction& last) {
    return !last.has_guard && (last.opcode == "ret" || last.opcode == "exit");
}

bool share_a_loop(const Draft& draft, BasicBlockId b, BasicBlockId other) {
    return draft.graph.reaches(b, other, no_index) && draft.graph.reaches(other, b, no_index);
}

bool leads_to_logged(const Draft& draft, BasicBlockId b, const std::vector<bool>& logged) {
    return std::ranges::any_of(draft.graph.nodes[b].successors,
                               [&](BasicBlockId next) { return logged[next]; });
}

class LogFinder {
  public:
    LogFinder(const Draft& draft, const WholeWarps& whole, const std::vector<BasicBlockId>& tallied)
        : draft_(draft),
          nodes_(draft.graph.nodes),
          dominators_(immediate_dominators(draft.graph)),
          whole_(whole),
          tallied_(tallied) {}

    std::vector<bool> find() const {
        std::vector<bool> found(nodes_.size(), false);
        if (exits_from_functions() || nodes_.size() > most_logged_blocks) return found;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) found[b] = can_be_logged(b);
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
                if (!found[b] || nodes_[b].predecessors.size() == 1 || all_are_logged_before(b, found))
                    continue;
                found[b] = false;
                changed = true;
            }
        }
        bool worth_it = false;
        std::size_t saved = 0;  // records outside of loops
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            worth_it |= saves_records_in_a_loop(b, found);
            saved += found[b] && draft_.plan.blocks[b].source == Source::recorded;
        }
        if (!worth_it && saved < least_records_saved && tallied_.empty()) found.assign(nodes_.size(), false);
        return found;
    }

  private:
    const ptx::Instruction& last_of(BasicBlockId b) const { return draft_.terminator(b); }

    /// Lanes that leave the kernel there could not store their logs, which only the entry has.
    bool exits_from_functions() const {
        for (SiteId site = 0; site < draft_.numbered.origins.size(); ++site)
            if (draft_.numbered.origins[site].function != draft_.functions.front().index &&
                draft_.instruction(site).opcode == "exit")
                return true;
        return false;
    }

    /// It holds nothing but, at most, the ballot of its own branch.
    bool holds_only_its_ballot(BasicBlockId b) const {
        const BlockPlan& plan = draft_.plan.blocks[b];
        return plan.values.empty() && std::ranges::all_of(plan.guards, [&](const RecordedGuard& guard) {
                   return guard.site == draft_.last_site(b) && last_of(b).opcode == "bra";
               });
    }

    bool can_be_logged(BasicBlockId b) const {
        const BlockPlan& plan = draft_.plan.blocks[b];
        const BlockNode& node = nodes_[b];
        if (whole_.whole[b] || node.function != draft_.functions.front().index || node.begins_function ||
            is_tallied(b) || plan.extra != BlockPlan::Extra::none || !holds_only_its_ballot(b))
            return false;
        const ptx::Instruction& last = last_of(b);
        if (!leaves_for_good(last) && (!goes_on_visibly(last) || node.leaves)) return false;
        return !node.predecessors.empty() && std::ranges::all_of(node.predecessors, [&](BasicBlockId before) {
            return goes_on_visibly(last_of(before)) && !nodes_[before].leaves &&
                   holds_only_its_ballot(before);
        });
    }

    /// Lanes meet there when those before the block on all ways from its dominator have come. Where some of
    /// them leave records, or wait in a function, their logs do not show when that is.
    bool all_are_logged_before(BasicBlockId b, const std::vector<bool>& found) const {
        const BasicBlockId fork = dominators_[b];
        if (fork == no_index) return false;
        for (BasicBlockId at = 0; at < nodes_.size(); ++at)
            if (at != fork && !found[at] && !is_tallied(at) && !is_known(at) &&
                draft_.graph.reaches(fork, at, fork) && draft_.graph.reaches(at, b, fork))
                return false;
        return true;
    }

    /// Of whole warps, too: a loop whose every branch is logged or replayed leaves no records.
    bool saves_records_in_a_loop(BasicBlockId b, const std::vector<bool>& logged) const {
        if (draft_.plan.blocks[b].source != Source::recorded || !draft_.graph.reaches(b, b, no_index))
            return false;
        if (logged[b]) return true;
        if (!whole_.whole[b] || !leads_to_logged(draft_, b, logged)) return false;
        for (BasicBlockId other = 0; other < nodes_.size(); ++other)
            if (share_a_loop(draft_, b, other) && nodes_[other].successors.size() > 1 &&
                !draft_.plan.blocks[other].replayed_branch && !logged[other] &&
                !leads_to_logged(draft_, other, logged))
                return false;
        return true;
    }

    /// A whole warp comes by there without a record, at once when it has come to the block before.
    bool is_known(BasicBlockId b) const {
        const BlockPlan& plan = draft_.plan.blocks[b];
        return whole_.whole[b] && (plan.source == Source::implied || plan.source == Source::balloted);
    }

    bool is_tallied(BasicBlockId b) const { return std::ranges::find(tallied_, b) != tallied_.end(); }

    const Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const std::vector<BasicBlockId> dominators_;
    const WholeWarps& whole_;
    const std::vector<BasicBlockId>& tallied_;
};

void log_branch(Draft& draft, BasicBlockId b) {
    BlockPlan& plan = draft.plan.blocks[b];
    const ptx::Guard& guard = draft.terminator(b).guard;
    LaunchValues& values = *draft.launch_values;
    if (!plan.replayed_branch && !can_count_passes(draft, b) &&
        values.is_followed(draft.graph.nodes[b].function, guard.predicate)) {
        plan.replayed_branch = {draft.last_site(b), values.slot(guard.predicate), guard.negated};
        plan.hashes_branch = true;
    }
    plan.logs_branch = !plan.replayed_branch;
    for (const RecordedGuard& guard : plan.guards)
        if (plan.source != Source::whole && guard.offset != offsetof(VisitUnit, extra)) --plan.units;
    plan.guards.clear();
}

/// A loop of whole warps whose branches send all lanes the same way: with their branches logged it leaves no
/// record (pass_blocks.h).
void log_whole_loop(Draft& draft, const WholeWarps& whole, const std::vector<BasicBlockId>& loop) {
    constexpr std::size_t least_records_of_a_branch = 2;
    std::size_t records = 0;
    std::vector<BasicBlockId> branches;
    for (const BasicBlockId b : loop) {
        const BlockPlan& plan = draft.plan.blocks[b];
        records += plan.source == Source::recorded;
        if (!whole.whole[b] || !plan.values.empty() || draft.graph.nodes[b].leaves) return;
        if (draft.graph.nodes[b].successors.size() < 2 || plan.replayed_branch) continue;
        const bool ballots_more = std::ranges::any_of(
            plan.guards, [&](const RecordedGuard& guard) { return guard.site != draft.last_site(b); });
        if (!whole.together[b] || ballots_more) return;
        branches.push_back(b);
    }
    if (records < least_records_of_a_branch * branches.size()) return;
    for (const BasicBlockId b : branches) log_branch(draft, b);
}

void log_whole_loops(Draft& draft, const WholeWarps& whole) {
    const std::size_t count = draft.graph.nodes.size();
    if (count > most_logged_blocks) return;
    std::vector<bool> seen(count, false);
    for (BasicBlockId b = 0; b < count; ++b) {
        if (seen[b] || !whole.whole[b] || !draft.graph.reaches(b, b, no_index)) continue;
        std::vector<BasicBlockId> loop;
        for (BasicBlockId other = b; other < count; ++other)
            if (share_a_loop(draft, b, other)) loop.push_back(other);
        for (const BasicBlockId each : loop) seen[each] = true;
        log_whole_loop(draft, whole, loop);
    }
}

/// By block: some branch's ways end there, or, of a branch in a loop, those that do not leave it.
std::vector<bool> where_ways_end(const Draft& draft, const std::vector<BasicBlockId>& meetings) {
    const auto& nodes = draft.graph.nodes;
    std::vector<bool> ends(nodes.size(), false);
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        if (nodes[b].successors.size() < 2) continue;
        if (meetings[b] != no_index) ends[meetings[b]] = true;
        const auto stays = [&](BasicBlockId to) { return share_a_loop(draft, b, to); };
        if (std::ranges::count_if(nodes[b].successors, stays) < 2) continue;
        std::vector<BasicBlockId> passed;  // in each pass
        for (BasicBlockId other = 0; other < nodes.size(); ++other)
            if (other != b && share_a_loop(draft, b, other) && !draft.graph.reaches(b, b, other))
                passed.push_back(other);
        for (const BasicBlockId first : passed)
            if (std::ranges::none_of(passed, [&](BasicBlockId other) {
                    return other != first && draft.graph.reaches(b, other, first);
                }))
                ends[first] = true;
    }
    return ends;
}

/// The assembler has lanes meet behind a loop that they leave by several ways only where all ways lead:
/// before that, those that leave in one pass go on without the others. Nor do they wait for any that have
/// given way.
void find_what_lanes_go_ahead_of(Draft& draft, const WholeWarps& whole, const std::vector<bool>& logged) {
    const auto& nodes = draft.graph.nodes;
    const std::vector<BasicBlockId> meetings = immediate_post_dominators(draft.graph);
    const std::vector<bool> ends_ways = where_ways_end(draft, meetings);
    for (BasicBlockId b = 0; b < nodes.size(); ++b)
        draft.plan.blocks[b].keeps_apart = logged[b] && !ends_ways[b];
    const auto comes_by = [&](BasicBlockId from, BasicBlockId b) {
        for (BasicBlockId at = meetings[from]; at != no_index; at = meetings[at])
            if (at == b) return true;
        return false;
    };
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        if (!logged[b] || !draft.plan.blocks[b].hashes_lanes) continue;
        for (const BasicBlockId before : nodes[b].predecessors) {
            if (!share_a_loop(draft, before, before) || share_a_loop(draft, before, b) ||
                meet_behind(draft, before))
                continue;
            for (BasicBlockId inside = 0; inside < nodes.size(); ++inside)
                if (share_a_loop(draft, before, inside) && (!comes_by(inside, b) || whole.gives_way[inside]))
                    draft.plan.blocks[b].goes_ahead_of.push_back(inside);
        }
    }
}

/// Where a loop begins in which lanes give way.
void find_where_lanes_give_way(Draft& draft, const WholeWarps& whole, const std::vector<bool>& logged) {
    const auto& nodes = draft.graph.nodes;
    for (BasicBlockId b = 0; b < nodes.size(); ++b)
        draft.plan.blocks[b].gives_way = logged[b] && whole.gives_way[b] &&
                                         std::ranges::any_of(nodes[b].predecessors, [&](BasicBlockId before) {
                                             return !share_a_loop(draft, before, b);
                                         });
}

}  // namespace

std::vector<bool> find_logged(const Draft& draft, const WholeWarps& whole,
                              const std::vector<BasicBlockId>& tallied) {
    return LogFinder(draft, whole, tallied).find();
}

void log_blocks(Draft& draft, const WholeWarps& whole, const std::vector<bool>& logged) {
    const auto& nodes = draft.graph.nodes;
    RecordingPlan& all = draft.plan;
    log_whole_loops(draft, whole);
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        const ptx::Instruction& last = draft.terminator(b);
        if (last.opcode != "bra" || !last.has_guard || draft.plan.blocks[b].source == Source::tallied)
            continue;
        if (logged[b] || leads_to_logged(draft, b, logged)) log_branch(draft, b);
    }
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        if (!logged[b]) continue;
        BlockPlan& plan = draft.plan.blocks[b];
        plan.source = Source::logged;
        plan.follows = no_index;
        plan.units = 0;
        plan.lanes_meet = draft.lanes_meet[b];
        plan.hashes_lanes = nodes[b].predecessors.size() > 1 && !plan.lanes_meet;
    }
    find_what_lanes_go_ahead_of(draft, whole, logged);
    find_where_lanes_give_way(draft, whole, logged);
    leave_out_beginnings_of_loops(draft, whole.gives_way);

    all.hashes_lanes = std::ranges::any_of(all.blocks, &BlockPlan::hashes_lanes) ||
                       std::ranges::any_of(all.blocks, &BlockPlan::hashes_branch);
    all.log_words = std::ranges::any_of(all.blocks, &BlockPlan::logs_branch) ? draft.options.log_words : 0;
}

namespace {

/// Places the stores of log words: on each way around a loop on which lanes log, at one block at least, where
/// it begins; and where more bits would come together than a word is sure to have room for.
class StorePlacer {
  public:
    explicit StorePlacer(Draft& draft)
        : draft_(draft), nodes_(draft.graph.nodes), stores_(nodes_.size(), false), after_(nodes_.size(), 0) {}

    void place() {
        // Inner loops first: their stores serve the loops around them as well.
        for (std::size_t b = nodes_.size(); b-- > 0;)
            if (begins_loop(static_cast<BasicBlockId>(b)) &&
                logs_on_a_way_around(static_cast<BasicBlockId>(b)))
                stores_[b] = true;
        while (!count_bits()) {
        }
        draft_.log_bits = *std::ranges::max_element(after_);
        draft_.empties_log = stores_;
    }

  private:
    std::uint32_t bits_of(BasicBlockId b) const {
        const BlockPlan& plan = draft_.plan.blocks[b];
        std::uint32_t bits = plan.logs_branch && !plan.counts_passes ? 1 : 0;
        if (const auto left = left_loop(draft_, b))
            bits += draft_.plan.pass_bits + (draft_.plan.blocks[left->branch].logs_left ? 1 : 0);
        return bits;
    }

    bool begins_loop(BasicBlockId b) const {
        return std::ranges::any_of(nodes_[b].predecessors, [&](BasicBlockId from) {
            return from > b || (from == b && !draft_.plan.blocks[b].counts_passes);
        });
    }

    /// The blocks on ways from or to the block that pass no store.
    template <class Next>
    std::vector<bool> without_stores(BasicBlockId from, const Next& next) const {
        std::vector<bool> found(nodes_.size(), false);
        std::vector<BasicBlockId> open{from};
        while (!open.empty()) {
            const BasicBlockId at = open.back();
            open.pop_back();
            for (const BasicBlockId other : next(at))
                if (!found[other] && !stores_[other]) {
                    found[other] = true;
                    open.push_back(other);
                }
        }
        return found;
    }

    bool logs_on_a_way_around(BasicBlockId b) const {
        const auto behind = without_stores(b, [&](BasicBlockId at) { return nodes_[at].successors; });
        const auto before = without_stores(b, [&](BasicBlockId at) { return nodes_[at].predecessors; });
        for (BasicBlockId at = 0; at < nodes_.size(); ++at)
            if (behind[at] && before[at] && bits_of(at) != 0) return true;
        return false;
    }

    /// Bits since the last store, behind each block. False if a store more was needed.
    bool count_bits() {
        std::ranges::fill(after_, 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
                std::uint32_t bits = bits_of(b);
                if (!stores_[b])
                    for (const BasicBlockId from : nodes_[b].predecessors)
                        bits = std::max(bits, after_[from] + bits_of(b));
                if (bits > most_bits_between && !stores_[b]) {
                    stores_[b] = true;
                    return false;
                }
                changed |= bits != after_[b];
                after_[b] = bits;
            }
        }
        return true;
    }

    Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    std::vector<bool> stores_;          // by block: where it begins
    std::vector<std::uint32_t> after_;  // by block
};

}  // namespace

void place_log_stores(Draft& draft) {
    if (draft.plan.lane_bytes == 0) return StorePlacer(draft).place();
    draft.empties_log.assign(draft.graph.nodes.size(), false);
    draft.log_bits = 0;
}

}  // namespace warplens::instrumentation
