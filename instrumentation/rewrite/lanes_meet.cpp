#include "instrumentation/rewrite/lanes_meet.h"

#include <algorithm>
#include <optional>

#include "ptx/opcodes.h"
#include "ptx/value_flow.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint64_t all_lanes = 0xffffffffu;

std::optional<std::uint64_t> number_in(const ptx::Operand& operand) {
    const auto* number = std::get_if<ptx::Immediate>(&operand.value);
    return number ? std::optional(number->bits & all_lanes) : std::nullopt;
}

class MeetingFinder {
  public:
    explicit MeetingFinder(const Draft& draft) : draft_(draft) {
        const std::size_t registers = draft.body_of(draft.functions.front()).registers.size();
        std::vector<std::uint32_t> writes(registers, 0);
        holds_all_.assign(registers, false);
        for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
            if (draft.numbered.origins[site].function != draft.functions.front().index) continue;
            const ptx::Instruction& at = draft.instruction(site);
            const bool sets_all = at.opcode == "mov" && !at.has_guard && at.operands.size() == 2 &&
                                  number_in(at.operands[1]) == all_lanes;
            for (const std::uint32_t written : ptx::value_flow(at).written) {
                holds_all_[written] = sets_all;
                ++writes[written];
            }
        }
        for (std::size_t i = 0; i < registers; ++i)
            if (writes[i] != 1) holds_all_[i] = false;
    }

    std::vector<bool> find() const {
        std::vector<bool> found(draft_.graph.nodes.size(), false);
        for (BasicBlockId b = 0; b < found.size(); ++b)
            found[b] = draft_.graph.nodes[b].function == draft_.functions.front().index && meet_in(b);
        return found;
    }

  private:
    bool meet_in(BasicBlockId b) const {
        for (SiteId site = draft_.first_site(b); site <= draft_.last_site(b); ++site) {
            const ptx::Instruction& at = draft_.instruction(site);
            if (at.has("sync") && !at.has_guard && waits_for_all(at)) return true;
            if (ptx::site_kind(at) != SiteKind::lanewise) return false;
        }
        return false;
    }

    /// The lanes that it waits for are its last operand.
    bool waits_for_all(const ptx::Instruction& at) const {
        const bool exchanges = at.opcode == "shfl" || at.opcode == "vote" || at.opcode == "match" ||
                               at.opcode == "redux" || (at.opcode == "bar" && at.has("warp"));
        if (!exchanges || at.operands.empty()) return false;
        const ptx::Operand& lanes = at.operands.back();
        if (const auto number = number_in(lanes)) return *number == all_lanes;
        const auto* held = std::get_if<ptx::RegisterOperand>(&lanes.value);
        return held && holds_all_[held->index];
    }

    const Draft& draft_;
    std::vector<bool> holds_all_;  // by register: it is set once, to all lanes
};

}  // namespace

std::vector<bool> blocks_where_lanes_meet(const Draft& draft) { return MeetingFinder(draft).find(); }

}  // namespace warplens::instrumentation
