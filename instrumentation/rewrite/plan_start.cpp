#include "instrumentation/rewrite/plan_start.h"

#include <vector>

namespace warplens::instrumentation {

namespace {

using Source = BlockPlan::Source;

class StartFinder {
  public:
    explicit StartFinder(const Draft& draft)
        : draft_(draft), nodes_(draft.graph.nodes), dominators_(immediate_dominators(draft.graph)) {}

    BasicBlockId find() const {
        BasicBlockId start = no_index;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b) {
            const bool inside = needs_it_inside(b);
            if (!inside && !needs_it_at_its_end(b)) continue;
            if (b != 0 && dominators_[b] == no_index) continue;  // no path reaches it
            BasicBlockId other = inside && b != 0 ? dominators_[b] : b;
            if (start == no_index) start = other;
            while (start != other) {
                if (depth(start) >= depth(other)) start = dominators_[start];
                else other = dominators_[other];
            }
        }
        while (start != no_index && start != 0 &&
               (draft_.graph.reaches(start, start, no_index) || is_behind_lanes_apart(start)))
            start = dominators_[start];
        return start == no_index ? 0 : start;
    }

  private:
    bool needs_it_at_its_end(BasicBlockId b) const {
        const Source source = draft_.plan.blocks[b].source;
        return source == Source::recorded || source == Source::checked || nodes_[b].leaves;
    }

    bool needs_it_inside(BasicBlockId b) const {
        return (draft_.plan.log_words > 0 && draft_.empties_log[b]) ||
               !draft_.plan.blocks[b].lane_values.empty() || draft_.plan.blocks[b].kept.clock != no_index;
    }

    std::uint32_t depth(BasicBlockId b) const {
        std::uint32_t count = 0;
        for (; b != no_index; b = dominators_[b]) ++count;
        return count;
    }

    /// Behind a loop that lanes leave apart. The assembler reads the indices again there, four special
    /// registers, rather than keep them; where whole warps alone record, one register keeps the slab instead.
    /// Not in full mode, which has no limit: there it can cost a resident block.
    bool is_behind_lanes_apart(BasicBlockId start) const {
        if (!draft_.only_whole || draft_.options.mode == RecordMode::full) return false;
        for (BasicBlockId b = 0; b < nodes_.size(); ++b)
            if (!draft_.whole[b] && draft_.graph.reaches(b, b, no_index) &&
                draft_.graph.reaches(b, start, no_index))
                return true;
        return false;
    }

    const Draft& draft_;
    const std::vector<BlockNode>& nodes_;
    const std::vector<BasicBlockId> dominators_;
};

}  // namespace

BasicBlockId find_start(const Draft& draft) { return StartFinder(draft).find(); }

}  // namespace warplens::instrumentation
