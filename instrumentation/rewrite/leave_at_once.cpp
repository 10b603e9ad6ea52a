#include "instrumentation/rewrite/leave_at_once.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"

namespace warplens::instrumentation {

namespace {

// Most warps stay, so that it is asked out of the way whether all leave. Who would leave without the others
// is a wrong prediction, which those who stay report.
constexpr std::string_view vote_to_stay = R"(
.reg .pred %leaves;
{own}.pred %leaves, %own{guard};
vote.sync.any.pred {some}, %leaves, {whole};
)";
constexpr std::string_view leave_or_stay = R"(
stay:
cold:
leave:
.reg .pred %leaves, %all;
{own}.pred %leaves, %own{guard};
vote.sync.all.pred %all, %leaves, {whole};
@%all bra.uni target;
or.pred %warplens_apart, %warplens_apart, {some};
@%leaves ret;
bra.uni stay;
target:
)";

// Where lanes that leave are not missed, some do in many warps.
constexpr std::string_view vote_to_leave = R"(
.reg .pred %leaves;
{own}.pred %leaves, %own{guard};
vote.sync.all.pred {all}, %leaves, {whole};
)";
constexpr std::string_view leave_without_others = R"(
.reg .pred %leaves, %stays;
{own}.pred %leaves, %own{guard};
not.pred %stays, %leaves;
{whole}{first}@%leaves ret;
)";
constexpr std::string_view those_who_stay = "vote.sync.ballot.b32 %warplens_whole, %stays, {};\n";
// Another lane than the first leads, then.
constexpr std::string_view lowest_leads_from_here = R"(
.reg .b32 %here, %lowest, %index, %bit;
{identify}and.b32 %index, %linear, 31;
mov.u32 %bit, 1;
shl.b32 %bit, %bit, %index;
vote.sync.ballot.b32 %here, %stays, {all};
neg.s32 %lowest, %here;
and.b32 %lowest, %lowest, %here;
setp.eq.u32 %warplens_leads, %bit, %lowest;
)";
constexpr std::string_view of_warps_that_record =
    "and.pred %warplens_leads, %warplens_leads, %warplens_records;\n";
// Its stream is that of a warp where lanes that are apart record as well.
constexpr std::string_view first_lane_must_stay = R"(
.reg .b32 %index, %mark; .reg .pred %first;
{identify}and.b32 %index, %linear, 31;
setp.eq.and.u32 %first, %index, 0, %leaves;
mov.u32 %mark, 1;
@%first st.global.b32 [%base+{apart}], %mark;
)";

std::string leave_by(BasicBlockId block) { return fmt::format("%warplens_leave{}", block); }

/// Whether lanes have hashed or logged nothing, and kept no values, when they come to the block's end.
bool lanes_have_nothing_to_leave(const Draft& draft, const WholeWarps& found, BasicBlockId b) {
    for (BasicBlockId at = 0; at < draft.graph.nodes.size(); ++at) {
        if (at != b && !draft.graph.reaches(at, b, no_index)) continue;
        if (!found.whole[at] || draft.graph.reaches(at, at, no_index)) return false;
        for (const AddressPlan& address : draft.plan.addresses)
            if (address.hashed && (address.hashed_in == at || (address.site >= draft.first_site(at) &&
                                                               address.site <= draft.last_site(at))))
                return false;
    }
    return true;
}

/// Whether lanes may leave there while others of their warp stay.
bool may_leave_apart(const Draft& draft, const WholeWarps& found, BasicBlockId b) {
    const BlockNode& node = draft.graph.nodes[b];
    return draft.plan.blocks[b].replayed_branch && node.jumps_to != no_index && found.whole[node.jumps_to] &&
           node.falls_into != node.jumps_to && lanes_have_nothing_to_leave(draft, found, b);
}

/// Where others wait for those who stay, the assembler would have to take them for apart; and where they
/// leave no record. Else they log their branches where they may have parted, which costs less than the
/// records of a whole warp (measured).
bool leaving_pays(const Draft& draft, const WholeWarps& found, BasicBlockId b) {
    if (found.misses_returned[b]) return true;
    for (BasicBlockId at = 0; at < draft.graph.nodes.size(); ++at)
        if (draft.plan.blocks[at].source == BlockPlan::Source::recorded &&
            draft.graph.reaches(b, at, no_index))
            return false;
    return true;
}

bool first_lane_records(const Draft& draft) {
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b)
        if (draft.whole[b] && draft.plan.blocks[b].source == BlockPlan::Source::recorded) return true;
    return false;
}

/// Who leads is found out before, and lanes leave behind it.
bool leader_may_leave(const Draft& draft, BasicBlockId b) {
    return !draft.one_place &&
           (draft.start_block == b || draft.graph.reaches(draft.start_block, b, no_index));
}

std::string lanes_that_leave(const Draft& draft, const FunctionDraft& function, BasicBlockId b) {
    const ptx::Guard& guard = draft.terminator(b).guard;
    const std::string whole =
        Draft::has_shared(function, "%warplens_whole") ? fmt::format(those_who_stay, every_lane) : "";
    std::string first;
    if (first_lane_records(draft) && !draft.only_whole)
        first = load_space(function) + fmt::format(first_lane_must_stay,
                                                   fmt::arg("identify", identify_warp(draft.options)),
                                                   fmt::arg("apart", offsetof(SpaceHead, warps_apart)));
    else if (first_lane_records(draft) && leader_may_leave(draft, b))
        first = fmt::format(lowest_leads_from_here, fmt::arg("identify", identify_warp(draft.options)),
                            fmt::arg("all", every_lane)) +
                std::string(leaves_warps_out(draft.options) ? of_warps_that_record : "");
    return fmt::format(leave_without_others, fmt::arg("own", guard.negated ? "not" : "mov"),
                       fmt::arg("guard", guard.predicate), fmt::arg("whole", whole),
                       fmt::arg("first", first));
}

/// Whether the recording has whole warps vote in blocks that come behind this one: on the ballot of a branch,
/// or on who leaves at a later check.
bool whole_warps_vote_behind(const Draft& draft, BasicBlockId b) {
    for (BasicBlockId at = 0; at < draft.plan.blocks.size(); ++at) {
        const BlockPlan& plan = draft.plan.blocks[at];
        const bool votes = plan.leaves_at_once || (draft.whole[at] && !plan.guards.empty());
        if (votes && draft.graph.reaches(b, at, no_index)) return true;
    }
    return false;
}

}  // namespace

void find_left_at_once(Draft& draft, WholeWarps& found) {
    const auto& nodes = draft.graph.nodes;
    std::vector<bool> checks(nodes.size(), false);
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        checks[b] = found.together[b] && !found.united[b];
        draft.plan.blocks[b].checks_bounds = checks[b];
    }
    if (!draft.options.predict_whole || !draft.options.leave_at_once) return;
    std::vector<bool> parts(nodes.size(), false);
    for (const BasicBlockId b : draft.options.parting) {
        parts[b] = checks[b] && leaving_pays(draft, found, b) && may_leave_apart(draft, found, b);
        checks[b] = parts[b];
    }
    // Whoever comes there comes with all lanes that have not left, so that a vote waits for nobody.
    std::vector<bool> sure = found.whole;
    const auto come_together = [&](BasicBlockId b) {
        return (b == 0 || !nodes[b].begins_function) &&
               std::ranges::all_of(nodes[b].predecessors, [&](BasicBlockId before) {
                   return sure[before] && (found.united[before] || checks[before]);
               });
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (BasicBlockId b = 0; b < nodes.size(); ++b) {
            if (!sure[b] || come_together(b)) continue;
            sure[b] = false;
            changed = true;
        }
    }
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        if (!checks[b] || !sure[b]) continue;
        draft.plan.blocks[b].leaves_at_once = found.united[b] = true;
        draft.plan.blocks[b].lanes_leave = parts[b];
        draft.plan.blocks[b].lanes_leave_first = parts[b] && found.misses_returned[b];
    }
}

bool may_wait_at_exit(const Draft& draft, const WholeWarps& found) {
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        const BlockPlan& block = draft.plan.blocks[b];
        if (block.leaves_at_once) continue;
        if (found.misses_returned[b] || (block.checks_bounds && whole_warps_vote_behind(draft, b)))
            return false;
    }
    return true;
}

void leave_at_once(Draft& draft) {
    FunctionDraft& function = draft.functions.front();
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        if (!draft.plan.blocks[b].leaves_at_once) continue;
        const SiteId site = draft.last_site(b);
        const std::string vote = leave_by(b);
        draft.share(function, vote, ptx::Type::pred);
        ptx::Instruction& branch = draft.edit(site);
        const auto filled = [&](std::string_view text) {
            return fmt::format(fmt::runtime(text), fmt::arg("own", branch.guard.negated ? "not" : "mov"),
                               fmt::arg("guard", branch.guard.predicate), fmt::arg("all", vote),
                               fmt::arg("some", vote), fmt::arg("whole", every_lane));
        };
        if (draft.plan.blocks[b].lanes_leave) {
            draft.put(function, draft.before(site), filled(vote_to_leave));
            draft.put(function, draft.behind(site), lanes_that_leave(draft, function, b));
        } else {
            auto& target = std::get<ptx::Label>(branch.operands.front().value);
            const std::string leave = fmt::format("$warplens_leave{}", b);
            draft.put(function, draft.before(site), filled(vote_to_stay));
            draft.put(function, draft.behind(site), filled(leave_or_stay), {},
                      {{"leave", leave}, {"target", target.name}});
            target.name = leave;
        }
        branch.guard = {function.registers.at(vote), false};
        if (!branch.has("uni")) {
            branch.modifiers.insert(branch.modifiers.begin(), "uni");
            branch.spelling = "bra.uni";
        }
    }
}

}  // namespace warplens::instrumentation
