#include "instrumentation/rewrite/meet_behind_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

std::string way_to(BasicBlockId target) { return fmt::format("%warplens_way{}", target); }

/// An outermost loop: the blocks that reach each other.
std::vector<BasicBlockId> loop_around(const BlockGraph& graph, BasicBlockId b) {
    std::vector<BasicBlockId> loop;
    for (BasicBlockId other = 0; other < graph.nodes.size(); ++other)
        if (graph.reaches(b, other, no_index) && graph.reaches(other, b, no_index)) loop.push_back(other);
    return loop;
}

class LoopMeetingFinder {
  public:
    LoopMeetingFinder(const Draft& draft, const WholeWarps& found, const std::vector<bool>& logged)
        : draft_(draft),
          nodes_(draft.graph.nodes),
          found_(found),
          logged_(logged),
          post_dominators_(immediate_post_dominators(draft.graph)) {}

    std::vector<LoopMeeting> find() const {
        std::vector<LoopMeeting> meetings;
        std::vector<bool> seen(nodes_.size(), false);
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            if (seen[b]) continue;
            const std::vector<BasicBlockId> loop = loop_around(draft_.graph, b);
            for (const BasicBlockId each : loop) seen[each] = true;
            if (auto meeting = meeting_behind(loop)) meetings.push_back(*std::move(meeting));
        }
        return meetings;
    }

  private:
    std::optional<LoopMeeting> meeting_behind(const std::vector<BasicBlockId>& loop) const {
        LoopMeeting meeting{.loop = loop, .jumps = {}, .falls = no_index};
        std::vector<BasicBlockId> targets;
        bool parts = false;
        for (const BasicBlockId from : loop) {
            if (found_.gives_way[from]) return {};
            for (const BasicBlockId to : nodes_[from].successors) {
                if (std::ranges::find(loop, to) != loop.end()) continue;
                if (!may_wait(from, to) || to < loop.back()) return {};
                if (to == nodes_[from].falls_into) meeting.falls = from;
                else meeting.jumps.push_back({from, to});
                if (std::ranges::find(targets, to) == targets.end()) targets.push_back(to);
                parts |= !found_.united[from];
            }
        }
        if (!parts || targets.size() < 2 || !join_at_the_end(targets)) return {};
        return meeting;
    }

    /// Whether lanes that leave there may wait for the rest of the loop: nobody misses them, and how they go
    /// on is read from what they leave behind the loop.
    bool may_wait(BasicBlockId from, BasicBlockId to) const {
        const ptx::Instruction& last = draft_.terminator(from);
        const BlockPlan& plan = draft_.plan.blocks[to];
        return last.opcode == "bra" && last.has_guard && !last.has("uni") && !found_.misses_returned[from] &&
               !draft_.plan.blocks[from].leaves_at_once &&
               (logged_[to] || nodes_[to].leaves || plan.source == BlockPlan::Source::recorded);
    }

    bool join_at_the_end(const std::vector<BasicBlockId>& targets) const {
        for (BasicBlockId join = targets.front(); join != no_index; join = post_dominators_[join]) {
            const bool all = std::ranges::all_of(targets, [&](BasicBlockId target) {
                while (target != no_index && target != join) target = post_dominators_[target];
                return target == join;
            });
            if (all) return nodes_[join].leaves;
        }
        return false;
    }

    const Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const WholeWarps& found_;
    const std::vector<bool>& logged_;
    const std::vector<BasicBlockId> post_dominators_;
};

void meet(Draft& draft, const LoopMeeting& meeting) {
    FunctionDraft& function = draft.functions.front();
    const std::string label = fmt::format("$warplens_meet{}", meeting.loop.front());
    const bool falls = meeting.falls != no_index;
    const BasicBlockId rest =
        falls ? draft.graph.nodes[meeting.falls].falls_into : meeting.jumps.front().second;
    std::map<std::string, std::string> labels{{"meet", label}};
    std::string ways, targets;
    for (const auto& [from, to] : meeting.jumps) {
        const SiteId site = draft.last_site(from);
        auto& target = std::get<ptx::Label>(draft.edit(site).operands.front().value);
        if (labels.emplace(fmt::format("to{}", to), target.name).second) {
            targets += fmt::format("to{}:\n", to);
            if (to != rest) ways += fmt::format("@{} bra to{};\n", way_to(to), to);
        }
        if (to != rest) {
            const ptx::Guard& guard = draft.terminator(from).guard;
            if (!Draft::has_shared(function, way_to(to))) {
                draft.share(function, way_to(to), ptx::Type::pred);
                draft.put(function, {}, fmt::format("mov.pred {}, 0;\n", way_to(to)));
            }
            draft.put(function, draft.before(site),
                      fmt::format("{}.pred {}, %own{};\n", guard.negated ? "not" : "mov", way_to(to),
                                  guard.predicate));
        }
        target.name = label;
    }
    if (!falls) ways = "cold:\nmeet:\n" + ways + fmt::format("bra to{};\n", rest);
    else ways = "meet:\n" + ways;
    draft.put(function, draft.behind(draft.last_site(falls ? meeting.falls : meeting.loop.back())),
              ways + targets, {}, labels);
}

}  // namespace

void find_meetings(Draft& draft, const WholeWarps& found, const std::vector<bool>& logged) {
    draft.meetings = LoopMeetingFinder(draft, found, logged).find();
}

bool meet_behind(const Draft& draft, BasicBlockId block) {
    return std::ranges::any_of(draft.meetings, [&](const LoopMeeting& meeting) {
        return std::ranges::find(meeting.loop, block) != meeting.loop.end();
    });
}

void meet_behind_loops(Draft& draft) {
    for (const LoopMeeting& meeting : draft.meetings) meet(draft, meeting);
}

}  // namespace warplens::instrumentation
