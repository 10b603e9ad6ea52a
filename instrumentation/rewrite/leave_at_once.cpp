#include "instrumentation/rewrite/leave_at_once.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

namespace {

// Who would leave without the others is a wrong prediction, which those who stay report.
constexpr std::string_view vote_to_leave = R"(
.reg .pred %leaves;
{own}.pred %leaves, %own{guard};
vote.sync.all.pred {all}, %leaves, {whole};
)";
constexpr std::string_view leave_apart = R"(
.reg .pred %leaves, %some;
{own}.pred %leaves, %own{guard};
vote.sync.any.pred %some, %leaves, {whole};
or.pred %warplens_apart, %warplens_apart, %some;
@%leaves ret;
)";

std::string all_leave(BasicBlockId block) { return fmt::format("%warplens_leave{}", block); }

}  // namespace

void find_left_at_once(Draft& draft, WholeWarps& found) {
    const auto& nodes = draft.graph.nodes;
    std::vector<bool> checks(nodes.size(), false);
    for (BasicBlockId b = 0; b < nodes.size(); ++b) {
        checks[b] = found.together[b] && !found.united[b];
        draft.plan.blocks[b].checks_bounds = checks[b];
    }
    if (!draft.options.predict_whole || !draft.options.leave_at_once) return;
    for (const BasicBlockId b : draft.options.parting) checks[b] = false;
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
    for (BasicBlockId b = 0; b < nodes.size(); ++b)
        if (checks[b] && sure[b]) draft.plan.blocks[b].leaves_at_once = found.united[b] = true;
}

void leave_at_once(Draft& draft) {
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        if (!draft.plan.blocks[b].leaves_at_once) continue;
        FunctionDraft& function = draft.functions.front();
        const SiteId site = draft.last_site(b);
        ptx::Instruction& branch = draft.edit(site);
        const auto filled = [&](std::string_view text) {
            return fmt::format(fmt::runtime(text), fmt::arg("own", branch.guard.negated ? "not" : "mov"),
                               fmt::arg("guard", branch.guard.predicate), fmt::arg("all", all_leave(b)),
                               fmt::arg("whole", whole_mask(draft.options)));
        };
        draft.share(function, all_leave(b), ptx::Type::pred);
        draft.put(function, draft.before(site), filled(vote_to_leave));
        draft.put(function, draft.behind(site), filled(leave_apart));
        branch.guard = {function.registers.at(all_leave(b)), false};
        if (!branch.has("uni")) {
            branch.modifiers.insert(branch.modifiers.begin(), "uni");
            branch.spelling = "bra.uni";
        }
    }
}

}  // namespace warplens::instrumentation
