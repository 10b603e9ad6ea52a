#include "instrumentation/rewrite/pass_blocks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;
using Carries = BlockPlan::Carries;

/// A record, and whether the way there leads through the loop whose passes it counts. no_index: the end.
using Goal = std::pair<BasicBlockId, bool>;
using Goals = std::set<Goal>;

/// Larger kernels keep their records: each block that is tried costs a walk through all others.
constexpr std::size_t most_blocks = 400;

class Passing {
  public:
    Passing(const BlockGraph& graph, const WholeWarps& whole, RecordingPlan& plan)
        : nodes_(graph.nodes),
          whole_(whole),
          blocks_(plan.blocks),
          logs_(plan.log_words > 0),
          dominators_(immediate_dominators(graph)) {}

    void run() {
        if (nodes_.size() > most_blocks) return;
        find_known_loops();
        find_what_stays();
        bool any = false;
        for (BasicBlockId latch = 0; latch < nodes_.size(); ++latch)
            for (const BasicBlockId header : nodes_[latch].successors)
                if (dominates(header, latch)) any |= try_to_count(header, latch);
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (in_loop_[b] || joins_outside_loops(b)) any |= try_to_pass(b);
        if (!any) return;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) blocks_[b].routes = routes_from(b);
    }

  private:
    bool dominates(BasicBlockId above, BasicBlockId b) const {
        while (b != no_index && b != above) b = dominators_[b];
        return b == above;
    }

    /// Blocks of loops in which every branch is replayed or logged: the host finds its way around them
    /// without a record.
    void find_known_loops() {
        std::vector<std::vector<bool>> behind;  // by block: what it leads to
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) behind.push_back(all_behind(b));
        known_.assign(nodes_.size(), false);
        in_loop_ = known_;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            known_[b] = in_loop_[b] = behind[b][b];
            for (BasicBlockId other = 0; other < nodes_.size() && known_[b]; ++other)
                if (behind[b][other] && behind[other][b])
                    known_[b] = nodes_[other].successors.size() < 2 || blocks_[other].replayed_branch ||
                                blocks_[other].logs_branch;
        }
    }

    std::vector<bool> all_behind(BasicBlockId b) const {
        std::vector<bool> found(nodes_.size(), false);
        std::vector<BasicBlockId> open = nodes_[b].successors;
        while (!open.empty()) {
            const BasicBlockId at = open.back();
            open.pop_back();
            if (found[at]) continue;
            found[at] = true;
            open.insert(open.end(), nodes_[at].successors.begin(), nodes_[at].successors.end());
        }
        return found;
    }

    /// Branches that the records around them do not show, and which some other rule follows: those records
    /// stay.
    void find_what_stays() {
        unclear_.assign(nodes_.size(), false);
        stays_.assign(nodes_.size(), false);
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            if (!needs_routes(b) || ways_differ(b)) continue;
            if (logs_) {
                blocks_[b].logs_branch = true;
                continue;
            }
            unclear_[b] = true;
            for (const BasicBlockId next : nodes_[b].successors)
                for (const auto& [record, looped] : goals_of(next))
                    if (record != no_index) stays_[record] = true;
        }
    }

    /// A record that says nothing but that the warp came here, and where its branch sends it.
    bool could_pass(BasicBlockId b) const {
        const BlockPlan& plan = blocks_[b];
        const BlockNode& node = nodes_[b];
        if (stays_[b] || !whole_.whole[b] || plan.source != Source::recorded ||
            (plan.extra != BlockPlan::Extra::none && !known_[b]) || plan.carries != Carries::none ||
            !plan.values.empty() || plan.guards.size() > 1 || node.leaves)
            return false;
        if (node.successors.empty() || node.successors.size() > 2) return false;
        const bool shows_its_branch = node.successors.size() == 1 || whole_.together[b] ||
                                      !plan.guards.empty() || plan.logs_branch || plan.replayed_branch;
        return shows_its_branch && std::ranges::all_of(node.predecessors, [&](BasicBlockId before) {
                   const bool united = whole_.whole[before] &&
                                       (nodes_[before].successors.size() == 1 || whole_.together[before]);
                   return (united || shows_its_ways(before)) && !nodes_[before].leaves;
               });
    }

    /// Where lanes go from there is known without the record of the block that they come to.
    bool shows_its_ways(BasicBlockId b) const {
        return known_[b] || nodes_[b].successors.size() == 1 || blocks_[b].replayed_branch ||
               blocks_[b].logs_branch;
    }

    /// The record behind a loop stays: its clock is the loop's end.
    bool joins_outside_loops(BasicBlockId b) const {
        const auto& before = nodes_[b].predecessors;
        return !in_loop_[b] && before.size() > 1 &&
               std::ranges::none_of(before, [&](BasicBlockId each) { return bool(in_loop_[each]); });
    }

    bool leaves_a_record(BasicBlockId b) const {
        const BlockPlan& plan = blocks_[b];
        return plan.source == Source::recorded ||
               (plan.source == Source::checked && !(whole_.whole[b] && whole_.whole[plan.follows]));
    }

    /// The records that a warp can leave next when it is about to enter the block.
    Goals goals_of(BasicBlockId from) const {
        Goals goals;
        std::vector<bool> seen(nodes_.size(), false);
        std::vector<BasicBlockId> open{from};
        while (!open.empty()) {
            const BasicBlockId b = open.back();
            open.pop_back();
            if (seen[b]) continue;
            seen[b] = true;
            if (const BasicBlockId exit = counted_at(b); exit != no_index) {
                goals.emplace(exit, true);
                continue;
            }
            if (leaves_a_record(b)) goals.emplace(b, false);
            if (blocks_[b].source == Source::recorded) continue;
            if (nodes_[b].leaves) goals.emplace(no_index, false);
            open.insert(open.end(), nodes_[b].successors.begin(), nodes_[b].successors.end());
        }
        return goals;
    }

    /// The block whose record counts the passes of the loop that begins here; no_index if none does.
    BasicBlockId counted_at(BasicBlockId header) const {
        if (blocks_[header].source != Source::passed) return no_index;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (blocks_[b].carries == Carries::count && blocks_[b].carrier == header) return b;
        return no_index;
    }

    /// Whether the branch's outcome is seen in the next record alone.
    bool needs_routes(BasicBlockId b) const {
        return !unclear_[b] && whole_.together[b] && nodes_[b].successors.size() == 2 &&
               blocks_[b].guards.empty() && !blocks_[b].logs_branch && !blocks_[b].replayed_branch;
    }

    bool ways_differ(BasicBlockId b) const {
        const Goals first = goals_of(nodes_[b].successors[0]), second = goals_of(nodes_[b].successors[1]);
        return std::ranges::none_of(first, [&](const Goal& goal) { return second.contains(goal); });
    }

    /// No way leads from a block that leaves no record back to it without a record, but around a loop that is
    /// counted.
    bool returns_without_a_record(BasicBlockId b) const {
        if (known_[b]) return false;
        std::vector<bool> seen(nodes_.size(), false);
        std::vector<BasicBlockId> open = nodes_[b].successors;
        while (!open.empty()) {
            const BasicBlockId at = open.back();
            open.pop_back();
            if (at == b) return true;
            if (seen[at] || blocks_[at].source == Source::recorded || counted_at(at) != no_index) continue;
            seen[at] = true;
            open.insert(open.end(), nodes_[at].successors.begin(), nodes_[at].successors.end());
        }
        return false;
    }

    bool all_ways_differ() const {
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (needs_routes(b) && !ways_differ(b)) return false;
        return true;
    }

    /// Makes `changed` the plan if every branch still shows where it leads.
    bool keep(std::vector<BlockPlan> changed) {
        blocks_.swap(changed);
        if (all_ways_differ()) return true;
        blocks_.swap(changed);
        return false;
    }

    static void pass(BlockPlan& plan) {
        plan.source = Source::passed;
        plan.extra = BlockPlan::Extra::none;
        plan.units = 0;
    }

    bool try_to_pass(BasicBlockId b) {
        if (!could_pass(b) || returns_without_a_record(b)) return false;
        std::vector<BlockPlan> changed = blocks_;
        pass(changed[b]);
        if (!blocks_[b].guards.empty() && !hand_on(b, changed)) return false;
        return keep(std::move(changed));
    }

    /// The next records take the ballot of the block's branch along: each of a whole warp, and of no other.
    bool hand_on(BasicBlockId b, std::vector<BlockPlan>& changed) const {
        Goals goals;
        for (const BasicBlockId next : nodes_[b].successors) goals.merge(goals_of(next));
        for (const auto& [record, looped] : goals) {
            if (record == no_index || looped || !whole_.whole[record] ||
                blocks_[record].source != Source::recorded || blocks_[record].carries != Carries::none)
                return false;
            changed[record].carries = Carries::ballot;
            changed[record].carrier = b;
        }
        changed[b].guards.front().offset = 4;  // VisitUnit::active of the next record
        return true;
    }

    std::vector<BasicBlockId> loop_of(BasicBlockId header, BasicBlockId latch) const {
        std::vector<BasicBlockId> loop{header}, open{latch};
        while (!open.empty()) {
            const BasicBlockId b = open.back();
            open.pop_back();
            if (std::ranges::find(loop, b) != loop.end()) continue;
            loop.push_back(b);
            open.insert(open.end(), nodes_[b].predecessors.begin(), nodes_[b].predecessors.end());
        }
        return loop;
    }

    /// A loop of whole warps that has one way around and one way out.
    bool try_to_count(BasicBlockId header, BasicBlockId latch) {
        if (known_[header]) return false;
        const std::vector<BasicBlockId> loop = loop_of(header, latch);
        const auto inside = [&](BasicBlockId b) { return std::ranges::find(loop, b) != loop.end(); };
        BasicBlockId exit = no_index;
        for (const BasicBlockId b : loop) {
            const bool implied = blocks_[b].source == Source::implied && whole_.whole[b] && !nodes_[b].leaves;
            if ((!could_pass(b) && !implied) || !blocks_[b].guards.empty()) return false;
            const auto back = std::ranges::count_if(nodes_[b].predecessors, inside);
            if (back != 1) return false;
            for (const BasicBlockId next : nodes_[b].successors) {
                if (inside(next)) continue;
                if (exit != no_index) return false;
                exit = next;
            }
        }
        if (exit == no_index || !whole_.whole[exit] || blocks_[exit].source != Source::recorded ||
            blocks_[exit].extra != BlockPlan::Extra::none || blocks_[exit].carries != Carries::none)
            return false;
        std::vector<BlockPlan> changed = blocks_;
        for (const BasicBlockId b : loop)
            if (changed[b].source == Source::recorded) pass(changed[b]);
        if (changed[header].source != Source::passed) return false;
        changed[exit].carries = Carries::count;
        changed[exit].carrier = header;
        return keep(std::move(changed));
    }

    std::vector<BlockPlan::Route> routes_from(BasicBlockId b) const {
        std::vector<BlockPlan::Route> routes;
        if (!needs_routes(b)) return routes;
        for (const BasicBlockId next : nodes_[b].successors)
            for (const auto& [record, looped] : goals_of(next))
                routes.push_back({record, looped, next == nodes_[b].jumps_to});
        return routes;
    }

    const std::vector<BlockNode>& nodes_;
    const WholeWarps& whole_;
    std::vector<BlockPlan>& blocks_;
    const bool logs_;
    const std::vector<BasicBlockId> dominators_;
    std::vector<bool> known_, in_loop_, unclear_, stays_;  // by block
};

}  // namespace

void pass_blocks(const BlockGraph& graph, const WholeWarps& whole, RecordingPlan& plan) {
    Passing(graph, whole, plan).run();
}

}  // namespace warplens::instrumentation
