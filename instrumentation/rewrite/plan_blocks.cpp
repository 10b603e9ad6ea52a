// Which basic blocks leave a record, and from what the visits of the others follow.
#include <algorithm>

#include "instrumentation/rewrite/count_passes.h"
#include "instrumentation/rewrite/hash_lanes.h"
#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/launch_values.h"
#include "instrumentation/rewrite/leave_at_once.h"
#include "instrumentation/rewrite/meet_behind_loops.h"
#include "instrumentation/rewrite/pass_blocks.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/plan_logs.h"
#include "instrumentation/rewrite/plan_room.h"
#include "instrumentation/rewrite/plan_start.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/warp_sum.h"
#include "instrumentation/rewrite/whole_warps.h"
#include "ptx/block_barrier.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;

/// Whether threads of a block wait for each other there.
bool waits_for_block(const ptx::Instruction& instruction) {
    return ptx::site_kind(instruction) == SiteKind::barrier && ptx::ends_basic_block(instruction) &&
           !instruction.has("arrive") && !instruction.has_guard;
}

/// All threads of the block, not a number of them.
bool waits_for_all(const ptx::Instruction& instruction) {
    const std::size_t operands = instruction.has("red") ? 3 : 1;
    return ptx::block_barrier(instruction) && waits_for_block(instruction) &&
           instruction.operands.size() == operands;
}

class Planner {
  public:
    explicit Planner(Draft& draft)
        : draft_(draft),
          nodes_(draft.graph.nodes),
          dominators_(immediate_dominators(draft.graph)),
          post_dominators_(immediate_post_dominators(draft.graph)) {}

    void plan() {
        auto& blocks = draft_.plan.blocks;
        draft_.captures_mask.assign(blocks.size(), false);
        for (BasicBlockId b = 0; b < blocks.size(); ++b) {
            blocks[b].target = draft_.numbered.branch_targets[b];
            draft_.calls |= ptx::site_kind(draft_.terminator(b)) == SiteKind::call;
            replay_branch(b);
            decide(b);
        }
        for (BasicBlockId b = 0; b < blocks.size(); ++b)
            if (blocks[b].source == Source::balloted && !blocks[blocks[b].follows].replayed_branch)
                add_ballot(blocks[b].follows);
        find_counted_loops(draft_);
        predict();
        std::uint32_t most_units = 1;
        for (BasicBlockId b = 0; b < blocks.size(); ++b) {
            if (blocks[b].source == Source::recorded) {
                draft_.keeps_cursor = true;
                draft_.captures_mask[b] = true;
            } else if (blocks[b].source == Source::passed) {
                draft_.captures_mask[b] = comes_by_a_branch(b);
            } else if (blocks[b].source != Source::checked) {
                blocks[b].units = 0;
            }
            if (blocks[b].source == Source::checked) draft_.captures_mask[blocks[b].follows] = true;
            most_units = std::max(most_units, blocks[b].units);
        }
        draft_.keeps_cursor |=
            draft_.plan.stores_log_words() ||
            std::ranges::any_of(blocks, [](const BlockPlan& plan) { return !plan.lane_values.empty(); });
        draft_.only_whole = records_only_whole_warps();
        draft_.keeps_cursor |= draft_.only_whole;
        if (draft_.keeps_cursor && draft_.functions.size() == 1) draft_.start_block = find_start(draft_);
        plan_room(draft_, most_units);
    }

  private:
    BlockPlan& block(BasicBlockId b) { return draft_.plan.blocks[b]; }

    void predict() {
        auto& whole = draft_.whole = std::vector<bool>(nodes_.size(), false);
        draft_.surely_whole = whole;
        WholeWarps found = predict_whole_warps(
            draft_.module, draft_.numbered, draft_.graph, draft_.options.predict_bounds,
            draft_.options.predict_parting ? std::vector<BasicBlockId>{} : draft_.options.parting);
        // All lanes of a record with values need to know its place.
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (draft_.holds_payload(b)) found.whole[b] = found.together[b] = found.united[b] = false;
        find_left_at_once(draft_, found);
        whole = found.whole;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            const BlockPlan& plan = draft_.plan.blocks[b];
            draft_.plan.predicted += whole[b] && (plan.source == Source::recorded || nodes_[b].leaves ||
                                                  (plan.source == Source::checked && whole[plan.follows]));
        }
        std::vector<BasicBlockId> loops;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (!whole[b] && can_be_tallied(b)) loops.push_back(b);
        const std::vector<bool> logged = find_logged(draft_, found, loops);
        draft_.plan.predicted += static_cast<std::uint32_t>(loops.size() + std::ranges::count(logged, true));
        // Without the option it is not known yet whether there is room for them.
        if (!draft_.options.predict_whole || draft_.options.value_words > 0)
            draft_.plan.predicted += draft_.could_have_columns;
        if (!relies_on_whole_warps(draft_)) {
            whole.assign(nodes_.size(), false);
            return;
        }
        draft_.leaves_whole = leaves_whole();
        draft_.waits = found.waits;
        for (const BasicBlockId b : loops) tally(b);
        find_meetings(draft_, found,
                      draft_.options.log_words > 0 ? logged : std::vector<bool>(nodes_.size(), false));
        if (draft_.options.log_words > 0) log_blocks(draft_, found, logged);
        if (draft_.plan.has_lane_words()) pack_lanes(draft_);
        pass_blocks(draft_.graph, found, draft_.plan);
        draft_.may_wait_at_exit = may_wait_at_exit(draft_, found);
        leave_openings_out();
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (whole[b] && draft_.graph.reaches(b, b, no_index)) carry_own_ballot(block(b));
        if (records_only_whole_warps()) plan_kept_words(draft_);
        if (draft_.plan.has_lane_words()) {
            draft_.plan.tally_offset = draft_.first_unit * unit_bytes;
            draft_.first_unit += draft_.plan.lane_area() / unit_bytes;
        }
        count_passes(draft_);
        find_last_passes(draft_);
        if (draft_.plan.log_words > 0) place_log_stores(draft_);
        find_surely_whole(found);
    }

    /// At every way out the warp is expected to be whole: elsewhere each lane would add its own hash.
    bool leaves_whole() const {
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (nodes_[b].leaves && !draft_.whole[b]) return false;
        return true;
    }

    /// A clock behind a barrier has to wait for its opening, and the assembler takes lanes for apart behind
    /// every such wait. So either all barriers with records have both clocks, or none has.
    void leave_openings_out() {
        std::vector<BlockPlan*> behind;
        for (BasicBlockId b = 1; b < nodes_.size(); ++b) {
            if (block(b).source != Source::recorded || block(b).extra != BlockPlan::Extra::arrival_clock)
                continue;
            if (!draft_.whole[b] || !waits_for_all(draft_.terminator(b - 1))) return;
            behind.push_back(&block(b));
        }
        for (BlockPlan* plan : behind) {
            plan->extra = BlockPlan::Extra::none;
            plan->clock_of_arrival = true;
            for (RecordedGuard& guard : plan->guards) {
                if (guard.offset != unit_bytes) continue;
                guard.offset = offsetof(VisitUnit, extra);
                --plan->units;
            }
        }
    }

    /// The mask of a whole warp is known: where VisitUnit::extra is taken, the ballot stands in its place. In
    /// loops alone: a record that is written once is better stored before the ballot is known (measured).
    static void carry_own_ballot(BlockPlan& plan) {
        if (plan.source != Source::recorded || plan.carries != BlockPlan::Carries::none ||
            plan.guards.size() != 1 || plan.guards.front().offset != unit_bytes)
            return;
        plan.carries = BlockPlan::Carries::own_ballot;
        plan.guards.front().offset = offsetof(VisitUnit, active);
        --plan.units;
    }

    /// Lanes that come together from every block before need no check. A block that is relied on is whole,
    /// by its own check or because those before are.
    void find_surely_whole(const WholeWarps& found) {
        const auto is_relied_on = [&](BasicBlockId b) {
            const BlockPlan& plan = block(b);
            return found.whole[b] && (plan.source == Source::recorded ||
                                      (plan.source == Source::passed && comes_by_a_branch(b)) ||
                                      (plan.source == Source::checked && found.whole[plan.follows]));
        };
        auto& sure = draft_.surely_whole;
        sure = found.whole;
        const auto come_together = [&](BasicBlockId b) {
            return (b == 0 || !nodes_[b].begins_function) &&
                   std::ranges::all_of(nodes_[b].predecessors, [&](BasicBlockId before) {
                       return found.united[before] && (sure[before] || is_relied_on(before));
                   });
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
                if (!sure[b] || draft_.lanes_meet[b] || come_together(b) || all_wait_at(draft_, b)) continue;
                sure[b] = false;
                changed = true;
            }
        }
    }

    /// A block that only branches back to itself or goes on to the next one, outside of other loops, and
    /// which lanes reach without a choice that only its record would show.
    bool can_be_tallied(BasicBlockId b) const {
        const BlockNode& node = nodes_[b];
        const BlockPlan& plan = draft_.plan.blocks[b];
        if (draft_.functions.size() != 1 || plan.source != Source::recorded || !plan.guards.empty() ||
            plan.replayed_branch || plan.extra != BlockPlan::Extra::none || holds_values(b) || !forks(b) ||
            node.leaves || node.jumps_to != b || node.falls_into == no_index ||
            draft_.graph.reaches(node.falls_into, b, no_index))
            return false;
        for (const BlockPlan& other : draft_.plan.blocks)
            if (other.follows == b) return false;
        return std::ranges::all_of(node.predecessors, [&](BasicBlockId before) {
            return before == b || (nodes_[before].successors.size() == 1 && !nodes_[before].leaves);
        });
    }

    void tally(BasicBlockId b) {
        BlockPlan& plan = block(b);
        plan.source = Source::tallied;
        plan.tally = draft_.plan.tallies++;
        plan.units = 0;
        draft_.captures_mask[b] = false;
    }

    bool records_only_whole_warps() const {
        if (!relies_on_whole_warps(draft_)) return false;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            const BlockPlan& plan = draft_.plan.blocks[b];
            const bool writes = plan.source == Source::recorded || plan.source == Source::checked;
            if (writes && !draft_.whole[b]) return false;
            if (plan.source == Source::checked && !draft_.whole[plan.follows]) return false;
        }
        return true;
    }

    /// Lanes could have parted there.
    bool comes_by_a_branch(BasicBlockId b) const {
        const auto& before = nodes_[b].predecessors;
        return before.size() != 1 || nodes_[before.front()].successors.size() != 1;
    }

    BasicBlockId only_predecessor(BasicBlockId b) const {
        return !nodes_[b].begins_function && nodes_[b].predecessors.size() == 1
                   ? nodes_[b].predecessors.front()
                   : no_index;
    }

    /// Ends in a branch that divides its lanes between two blocks.
    bool forks(BasicBlockId b) const {
        const ptx::Instruction& last = draft_.terminator(b);
        return last.opcode == "bra" && last.has_guard && nodes_[b].successors.size() == 2;
    }

    /// Whether the ballot of its only predecessor's branch can show this block.
    bool can_be_balloted(BasicBlockId b) const {
        const BasicBlockId before = only_predecessor(b);
        return before != no_index && before != b && forks(before) && !holds_values(b) &&
               goes_on_at_once(before, b, post_dominators_[before]);
    }

    /// Whether no earlier lanes from `from` can still wait at `to` when others arrive: lanes that left a loop
    /// wait there until the last lane has left. Code runs in the order of the text.
    bool goes_on_at_once(BasicBlockId from, BasicBlockId to, BasicBlockId meeting) const {
        const BasicBlockId target = nodes_[from].jumps_to;
        if (to == from + 1 && (target == no_index || target > from)) return true;
        return !draft_.graph.reaches(from, from, meeting);
    }

    bool wants_ballot(BasicBlockId b) const {
        if (!forks(b) || draft_.plan.blocks[b].replayed_branch) return false;
        return std::ranges::any_of(nodes_[b].successors,
                                   [&](BasicBlockId next) { return next > b && can_be_balloted(next); });
    }

    bool holds_values(BasicBlockId b) const {
        return !draft_.plan.blocks[b].values.empty() || !draft_.plan.blocks[b].guards.empty();
    }

    bool has_mask(BasicBlockId b) const {
        return draft_.plan.blocks[b].source == Source::recorded ||
               draft_.plan.blocks[b].source == Source::whole;
    }

    void replay_branch(BasicBlockId b) {
        const ptx::Instruction& last = draft_.terminator(b);
        LaunchValues& known = *draft_.launch_values;
        if (last.opcode != "bra" || !last.has_guard ||
            !known.is_known(nodes_[b].function, last.guard.predicate))
            return;
        block(b).replayed_branch = {draft_.last_site(b), known.slot(last.guard.predicate),
                                    last.guard.negated};
    }

    void decide(BasicBlockId b) {
        BlockPlan& plan = block(b);
        const BasicBlockId before = only_predecessor(b);
        plan.source = Source::recorded;
        if (holds_values(b)) return set_extra(b, before);
        if (b == 0 && nodes_[b].predecessors.empty()) {
            plan.source = Source::whole;
            return;
        }
        if (before != no_index && before != b && goes_straight(before) && goes_on_at_once(before, b, b)) {
            plan.source = Source::implied;
            plan.follows = before;
            return;
        }
        if (before < b && (has_mask(before) || block(before).replayed_branch) && can_be_balloted(b) &&
            !wants_ballot(b)) {
            plan.source = Source::balloted;
            plan.follows = before;
            return;
        }
        const BasicBlockId fork = dominators_[b];
        if (nodes_[b].predecessors.size() > 1 && fork != no_index && fork < b && has_mask(fork) &&
            !wants_ballot(b) && draft_.graph.encloses(fork, b) && is_reached_visibly(b)) {
            plan.source = Source::checked;
            plan.follows = fork;
            return;
        }
        set_extra(b, before);
    }

    /// Whether the walk through the records can move lanes into the block without a record of it. It cannot
    /// after a call, whose lanes it last saw in the function, after a jump by table, or where a branch
    /// chooses between two such blocks.
    bool is_reached_visibly(BasicBlockId b) const {
        return std::ranges::all_of(nodes_[b].predecessors, [&](BasicBlockId before) {
            const ptx::Instruction& last = draft_.terminator(before);
            if (ptx::site_kind(last) == SiteKind::call || last.opcode == "brx") return false;
            if (last.opcode != "bra" || !last.has_guard) return true;
            return forks(before) && std::ranges::all_of(nodes_[before].successors, [&](BasicBlockId other) {
                       return other == b || draft_.plan.blocks[other].source != Source::checked;
                   });
        });
    }

    /// All lanes continue into one block at once.
    bool goes_straight(BasicBlockId b) const {
        if (nodes_[b].successors.size() != 1) return false;
        const ptx::Instruction& last = draft_.terminator(b);
        switch (ptx::site_kind(last)) {
            case SiteKind::branch:
                return !last.has_guard && last.opcode == "bra";
            case SiteKind::lanewise:
            case SiteKind::memory:
                return true;
            case SiteKind::warp_wide:
                return last.opcode != "bar";  // lanes wait for each other there
            default:
                return false;
        }
    }

    void set_extra(BasicBlockId b, BasicBlockId before) {
        if (before == no_index || before + 1 != b || !waits_for_block(draft_.terminator(before))) return;
        block(b).extra = BlockPlan::Extra::arrival_clock;
    }

    void add_ballot(BasicBlockId b) {
        BlockPlan& plan = block(b);
        const SiteId branch = draft_.last_site(b);
        if (std::ranges::find(plan.guards, branch, &RecordedGuard::site) != plan.guards.end()) return;
        if (plan.extra == BlockPlan::Extra::none) {
            plan.guards.push_back({branch, offsetof(VisitUnit, extra)});
        } else {
            plan.guards.push_back({branch, plan.units * unit_bytes});
            ++plan.units;
        }
    }

    Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const std::vector<BasicBlockId> dominators_, post_dominators_;
};

}  // namespace

Status plan_blocks(Draft& draft) {
    Planner(draft).plan();
    draft.launch_values->finish();
    return {};
}

}  // namespace warplens::instrumentation
