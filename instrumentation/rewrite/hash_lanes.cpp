#include "instrumentation/rewrite/hash_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "instrumentation/rewrite/passes.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

const std::string tally_hash = "%warplens_tally_hash", last_lanes = "%warplens_last_lanes";

bool leaves_lanes(const BlockPlan& block) {
    return block.hashes_lanes || block.source == BlockPlan::Source::tallied;
}

/// Whether the hash takes lanes in the block, and there can be any: else it stays 0.
bool takes_lanes(const Draft& draft, BasicBlockId b) {
    const BlockPlan& plan = draft.plan.blocks[b];
    if (!plan.precedes_loop && (!leaves_lanes(plan) || plan.hashes_last_pass)) return false;
    for (BasicBlockId before = 0; before < draft.graph.nodes.size(); ++before)
        if ((leaves_lanes(draft.plan.blocks[before]) || draft.plan.blocks[before].hashes_branch) &&
            (before == b || draft.graph.reaches(before, b, no_index)))
            return true;
    return false;
}

constexpr std::uint32_t tally_factor = 0x9E3779B1u;
static_assert(tally_step(1, 0) == tally_factor);

std::string take_lanes(std::string_view to) {
    return fmt::format("mad.lo.u32 {}, {}, {}, {};\n", to, tally_hash, tally_factor, last_lanes);
}

class LastPassFinder {
  public:
    explicit LastPassFinder(Draft& draft)
        : draft_(draft), nodes_(draft.graph.nodes), dominators_(immediate_dominators(draft.graph)) {}

    void find() {
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            BlockPlan& plan = draft_.plan.blocks[b];
            if (!leaves_lanes(plan)) continue;
            const std::vector<bool> loop = loop_from(draft_.graph, dominators_, b);
            if (!parts_for_good(b, loop)) continue;
            plan.hashes_last_pass = true;
            for (const BasicBlockId before : nodes_[b].predecessors)
                if (!loop[before]) draft_.plan.blocks[before].precedes_loop = true;
        }
    }

  private:
    /// Nothing in it waits for other lanes.
    bool lanes_are_alone(BasicBlockId b) const {
        for (SiteId site = draft_.first_site(b); site <= draft_.last_site(b); ++site) {
            const SiteKind kind = ptx::site_kind(draft_.instruction(site));
            if (kind != SiteKind::lanewise && kind != SiteKind::memory && kind != SiteKind::branch)
                return false;
        }
        return true;
    }

    /// No lanes come together within the loop but where it begins, and it is entered from no other loop, in
    /// which each pass would have to be hashed. Where functions are called, lanes may meet elsewhere.
    bool parts_for_good(BasicBlockId begin, const std::vector<bool>& loop) const {
        if (!loop[begin] || draft_.calls) return false;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (loop[b] && (!lanes_are_alone(b) || (b != begin && nodes_[b].predecessors.size() != 1)))
                return false;
        return std::ranges::all_of(nodes_[begin].predecessors, [&](BasicBlockId before) {
            return loop[before] || !draft_.graph.reaches(before, before, no_index) ||
                   draft_.graph.reaches(begin, before, no_index);
        });
    }

    Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const std::vector<BasicBlockId> dominators_;
};

class BeginningFinder {
  public:
    explicit BeginningFinder(Draft& draft) : draft_(draft), nodes_(draft.graph.nodes) {}

    void find() {
        std::vector<bool> relied_on(nodes_.size(), false);
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            BlockPlan& plan = draft_.plan.blocks[b];
            if (!plan.hashes_lanes || relied_on[b] || !plan.goes_ahead_of.empty()) continue;
            const BasicBlockId meeting = meeting_before(b);
            if (meeting == no_index) continue;
            plan.hashes_lanes = false;
            relied_on[meeting] = true;
        }
    }

  private:
    /// The block in the loop that begins at b where lanes meet that go on to b, as they are or fewer of them,
    /// together and by one way; no_index: there is none, or lanes may come together on that way.
    BasicBlockId meeting_before(BasicBlockId b) const {
        if (nodes_[b].predecessors.size() != 2) return no_index;
        BasicBlockId outside = nodes_[b].predecessors[0], at = nodes_[b].predecessors[1];
        if (!draft_.graph.reaches(b, at, no_index)) std::swap(outside, at);
        // Lanes that leave another loop pass by pass come together behind it.
        if (at == b || !draft_.graph.reaches(b, at, outside) || leaves_loop(outside, b) || leaves_loop(at, b))
            return no_index;
        while (!takes_lanes_there(at)) {
            if (nodes_[at].predecessors.size() != 1) return no_index;
            const BasicBlockId before = nodes_[at].predecessors.front();
            if (before == b || leaves_loop(before, at)) return no_index;
            at = before;
        }
        return at;
    }

    bool takes_lanes_there(BasicBlockId at) const {
        return draft_.plan.blocks[at].hashes_lanes || draft_.plan.blocks[at].lanes_meet;
    }

    bool leaves_loop(BasicBlockId from, BasicBlockId to) const {
        return draft_.graph.reaches(from, from, to);
    }

    Draft& draft_;
    const std::vector<BlockNode>& nodes_;
};

}  // namespace

void leave_out_beginnings_of_loops(Draft& draft, const std::vector<bool>& gives_way) {
    if (!draft.calls && std::ranges::none_of(gives_way, std::identity())) BeginningFinder(draft).find();
}

void find_last_passes(Draft& draft) { LastPassFinder(draft).find(); }

/// By block: the hash may have taken something before it.
std::vector<bool> hash_may_be_set(const Draft& draft) {
    const std::vector<BlockNode>& nodes = draft.graph.nodes;
    std::vector<bool> set(nodes.size(), false);
    for (BasicBlockId from = 0; from < nodes.size(); ++from) {
        if (!takes_lanes(draft, from) && !draft.plan.blocks[from].hashes_branch) continue;
        for (BasicBlockId to = 0; to < nodes.size(); ++to)
            if (to == from || draft.graph.reaches(from, to, no_index)) set[to] = true;
    }
    return set;
}

/// Where lanes leave a loop and the hash is still 0 it is set to 0 again: no register holds it in the loop.
void set_again_behind_loops(Draft& draft, FunctionDraft& entry) {
    const std::vector<bool> set = hash_may_be_set(draft);
    const std::vector<BlockNode>& nodes = draft.graph.nodes;
    for (BasicBlockId b = 0; b < nodes.size(); ++b)
        if (!set[b] && nodes[b].function == entry.index &&
            std::ranges::any_of(nodes[b].predecessors,
                                [&](BasicBlockId before) { return draft.graph.reaches(before, before, b); }))
            draft.put(entry, draft.begin_of(b), fmt::format("mov.u32 {}, 0;\n", tally_hash));
}

void begin_hash_of_lanes(Draft& draft, FunctionDraft& function) {
    const bool begins = !Draft::has_shared(function, tally_hash);
    const auto set_to_0 = [&](const std::string& name) {
        if (Draft::has_shared(function, name)) return;
        draft.share(function, name, ptx::Type::b32);
        draft.put(function, {}, fmt::format("mov.u32 {}, 0;\n", name));
    };
    set_to_0(last_lanes);
    for (BasicBlockId b = 0; b < draft.graph.nodes.size(); ++b)
        if (takes_lanes(draft, b) || draft.plan.blocks[b].hashes_branch) set_to_0(tally_hash);
    if (begins && function.is_entry && !draft.calls && Draft::has_shared(function, tally_hash))
        set_again_behind_loops(draft, function);
}

std::string hash_branch(const ptx::Guard& guard) {
    static_assert(branch_step(2, false) == 2 + branch_addend &&
                  branch_step(2, true) == branch_step(2, false) * branch_factor);
    // As a product the assembler would multiply the addend out, and keep one of two numbers in a register.
    return fmt::format("add.u32 {0}, {0}, {1};\n@{2}%own{3} mad.lo.u32 {0}, {0}, {4}, {0};\n", tally_hash,
                       branch_addend, guard.negated ? "!" : "", guard.predicate, branch_factor - 1);
}

std::string hash_last_lanes(const Draft& draft, BasicBlockId block) {
    return takes_lanes(draft, block) ? take_lanes(tally_hash) : "";
}

std::string end_hash_of_lanes(const FunctionDraft& function, std::string_view hash) {
    return Draft::has_shared(function, tally_hash) ? take_lanes(hash)
                                                   : fmt::format("mov.u32 {}, {};\n", hash, last_lanes);
}

// Short also beside calls: from a wrong mask no address follows, only a launch that is recorded again.
std::string hash_active_lanes(Draft& draft, FunctionDraft& function, BasicBlockId block) {
    const bool replaces = draft.plan.blocks[block].hashes_last_pass;
    return fmt::format("{}@{} activemask.b32 {};\n", replaces ? "" : hash_last_lanes(draft, block),
                       guard_that_holds(draft, function), last_lanes);
}

}  // namespace warplens::instrumentation
