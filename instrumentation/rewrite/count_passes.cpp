#include "instrumentation/rewrite/count_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "instrumentation/rewrite/launch_values.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

// One with too many passes has no room in its log.
constexpr std::string_view add_passes = R"(
setp.ge.or.u32 %warplens_many, %warplens_passes, {limit}, %warplens_many;
{came}mad.lo.u32 %warplens_log, %warplens_log, {limit}, %warplens_passes;
{left}mov.u32 %warplens_passes, 0;
)";
constexpr std::string_view who_came = ".reg .pred %came;\nsetp.ne.u32 %came, %warplens_passes, 0;\n";

bool is_in(const std::vector<BasicBlockId>& blocks, BasicBlockId b) {
    return std::ranges::find(blocks, b) != blocks.end();
}

/// Whether lanes come to where the branch leaves its loop from elsewhere in it, too.
bool shares_way_out(const Draft& draft, BasicBlockId branch) {
    const auto& loop = draft.plan.blocks[branch].counted_loop;
    const BlockNode& node = draft.graph.nodes[branch];
    const BasicBlockId out = is_in(loop, node.jumps_to) ? node.falls_into : node.jumps_to;
    return std::ranges::any_of(draft.graph.nodes[out].predecessors,
                               [&](BasicBlockId before) { return before != branch && is_in(loop, before); });
}

class CountedLoopFinder {
  public:
    explicit CountedLoopFinder(Draft& draft)
        : draft_(draft), nodes_(draft.graph.nodes), dominators_(immediate_dominators(draft.graph)) {}

    void find() {
        for (BasicBlockId begin = 0; begin < nodes_.size(); ++begin) {
            const std::vector<bool> loop = loop_from(draft_.graph, dominators_, begin);
            std::vector<BasicBlockId> blocks;
            for (BasicBlockId b = 0; b < nodes_.size(); ++b)
                if (loop[b]) blocks.push_back(b);
            const BasicBlockId branch = only_logged_branch(blocks);
            if (branch == no_index || !leaves(blocks, branch)) continue;
            // The largest one: it is left least often.
            BlockPlan& plan = draft_.plan.blocks[branch];
            if (plan.counted_loop.size() >= blocks.size()) continue;
            plan.counted_loop = blocks;
            plan.logs_left = false;
            for (const BasicBlockId b : blocks) plan.logs_left |= b != branch && leaves_at(blocks, b);
        }
    }

  private:
    bool leaves_at(const std::vector<BasicBlockId>& loop, BasicBlockId b) const {
        return std::ranges::any_of(nodes_[b].successors, [&](BasicBlockId to) { return !is_in(loop, to); });
    }

    /// no_index: there is none, several, or something else ends a block.
    BasicBlockId only_logged_branch(const std::vector<BasicBlockId>& loop) const {
        BasicBlockId found = no_index;
        for (const BasicBlockId b : loop) {
            const ptx::Instruction& last = draft_.terminator(b);
            const SiteKind kind = ptx::site_kind(last);
            if (nodes_[b].leaves || (kind != SiteKind::branch && kind != SiteKind::lanewise &&
                                     kind != SiteKind::memory && kind != SiteKind::warp_wide))
                return no_index;
            if (nodes_[b].successors.size() < 2) continue;
            if (last.opcode != "bra") return no_index;
            if (draft_.plan.blocks[b].replayed_branch || is_hashed(b)) continue;
            if (found != no_index) return no_index;
            found = b;
        }
        return found;
    }

    /// It follows from loads. Hashing it takes two instructions for each visit, a count one, but of a loop of
    /// several blocks, or which others go around, also a word for each lane.
    bool is_hashed(BasicBlockId b) const {
        const BlockNode& node = nodes_[b];
        const bool alone = node.jumps_to == b && node.falls_into != no_index &&
                           nodes_[node.falls_into].predecessors.size() == 1;
        return !alone &&
               draft_.launch_values->is_followed(node.function, draft_.terminator(b).guard.predicate);
    }

    /// One side of the branch does.
    bool leaves(const std::vector<BasicBlockId>& loop, BasicBlockId branch) const {
        const BasicBlockId jumps = nodes_[branch].jumps_to, falls = nodes_[branch].falls_into;
        return jumps != no_index && falls != no_index && is_in(loop, jumps) != is_in(loop, falls);
    }

    Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const std::vector<BasicBlockId> dominators_;
};

}  // namespace

void find_counted_loops(Draft& draft) { CountedLoopFinder(draft).find(); }

bool can_count_passes(const Draft& draft, BasicBlockId block) {
    return draft.options.pass_bits > 0 && !draft.plan.blocks[block].counted_loop.empty();
}

void count_passes(Draft& draft) {
    RecordingPlan& plan = draft.plan;
    plan.pass_bits = plan.log_words > 0 ? draft.options.pass_bits : 0;
    if (plan.pass_bits == 0) return;
    for (BasicBlockId b = 0; b < plan.blocks.size(); ++b) {
        BlockPlan& block = plan.blocks[b];
        const auto others_log = [&](BasicBlockId other) {
            return other != b && draft.graph.nodes[other].successors.size() > 1 &&
                   !plan.blocks[other].replayed_branch;
        };
        block.counts_passes = block.logs_branch && !block.counted_loop.empty() &&
                              plan.pass_bits + (block.logs_left ? 1 : 0) <= most_pass_bits &&
                              std::ranges::none_of(block.counted_loop, others_log);
    }
    // Where lanes come from several such loops, their count would not say from which.
    for (BasicBlockId b = 0; b < plan.blocks.size(); ++b) {
        std::vector<BasicBlockId> from;
        for (BasicBlockId branch = 0; branch < plan.blocks.size(); ++branch) {
            const BlockPlan& block = plan.blocks[branch];
            if (block.counts_passes && !is_in(block.counted_loop, b) &&
                std::ranges::any_of(draft.graph.nodes[b].predecessors,
                                    [&](BasicBlockId before) { return is_in(block.counted_loop, before); }))
                from.push_back(branch);
        }
        for (std::size_t i = 1; i < from.size(); ++i) plan.blocks[from[i]].counts_passes = false;
    }
    if (std::ranges::none_of(plan.blocks, &BlockPlan::counts_passes)) plan.pass_bits = 0;
}

std::optional<LeftLoop> left_loop(const Draft& draft, BasicBlockId block) {
    const auto& predecessors = draft.graph.nodes[block].predecessors;
    for (BasicBlockId branch = 0; branch < draft.plan.blocks.size(); ++branch) {
        const BlockPlan& plan = draft.plan.blocks[branch];
        if (!plan.counts_passes || is_in(plan.counted_loop, block)) continue;
        if (std::ranges::any_of(predecessors,
                                [&](BasicBlockId before) { return is_in(plan.counted_loop, before); }))
            return LeftLoop{branch, is_in(predecessors, branch)};
    }
    return {};
}

void begin_count(Draft& draft, FunctionDraft& function) {
    if (draft.plan.pass_bits == 0) return;
    draft.share(function, "%warplens_passes", ptx::Type::b32);
    draft.share(function, "%warplens_many", ptx::Type::pred);
    draft.put(function, {}, "mov.u32 %warplens_passes, 0;\nmov.pred %warplens_many, 0;\n");
}

std::string count_pass(const Draft& draft, BasicBlockId block) {
    const BlockPlan& plan = draft.plan.blocks[block];
    // Below the number stands the bit that says how the lane left.
    std::string text =
        fmt::format("add.u32 %warplens_passes, %warplens_passes, {};\n", plan.logs_left ? 2 : 1);
    if (!plan.logs_left || !shares_way_out(draft, block)) return text;
    const ptx::Guard& guard = draft.terminator(block).guard;
    const bool leaves_by_jump = !is_in(plan.counted_loop, draft.graph.nodes[block].jumps_to);
    return text + fmt::format("@{}%own{} add.u32 %warplens_passes, %warplens_passes, 1;\n",
                              guard.negated == leaves_by_jump ? "!" : "", guard.predicate);
}

std::string log_passes(const Draft& draft, BasicBlockId block) {
    const auto loop = left_loop(draft, block);
    if (!loop) return {};
    const bool logs_left = draft.plan.blocks[loop->branch].logs_left;
    const bool all_came = draft.graph.nodes[block].predecessors.size() == 1;
    const bool says_how = logs_left && loop->by_branch && !shares_way_out(draft, loop->branch);
    const std::string_view came = all_came && loop->by_branch ? "" : "@%came ";
    return (came.empty() ? "" : std::string(who_came)) +
           fmt::format(
               add_passes, fmt::arg("limit", 1u << (draft.plan.pass_bits + (logs_left ? 1 : 0))),
               fmt::arg("came", came),
               fmt::arg("left",
                        says_how ? fmt::format("{}add.u32 %warplens_log, %warplens_log, 1;\n", came) : ""));
}

}  // namespace warplens::instrumentation
