#include "instrumentation/rewrite/plan_room.h"

#include <algorithm>
#include <bit>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/value_columns.h"
#include "instrumentation/rewrite/warp_sum.h"

namespace warplens::instrumentation {

namespace {

/// A slab that has room for every record, also for those that exclude each other, has at most so many units
/// for them.
constexpr std::uint32_t most_units_kept_for_all = 128;

/// Units of all records that are written; the largest number if a warp can leave one of them twice.
std::uint32_t units_if_once(const Draft& draft) {
    if (draft.plan.kept_words > 0) return 0;
    std::uint32_t units = 0;
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        if (draft.plan.blocks[b].source != BlockPlan::Source::recorded) continue;
        if (draft.graph.reaches(b, b, no_index)) return 0xffffffffu;
        units += draft.plan.blocks[b].units;
    }
    return units;
}

/// No block leaves a record: what is checked is whole, so that nothing but a mark follows from it.
bool writes_heads_alone(const Draft& draft) {
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        const BlockPlan& block = draft.plan.blocks[b];
        if (block.source == BlockPlan::Source::recorded ||
            (block.source == BlockPlan::Source::checked && !(draft.whole[b] && draft.whole[block.follows])))
            return false;
    }
    return true;
}

bool lanes_have_parts(const Draft& draft) {
    return draft.options.lane_units > 0 && draft.keeps_cursor && !draft.only_whole && draft.options.launch &&
           draft.options.launch->has_slabs;
}

}  // namespace

void plan_room(Draft& draft, std::uint32_t most_units) {
    RecordingPlan& plan = draft.plan;
    if (lanes_have_parts(draft))
        plan.lane_units = std::bit_ceil(draft.first_unit + draft.options.lane_units + most_units + 1);
    plan_columns(draft);
    const std::uint32_t once = draft.only_whole ? units_if_once(draft) : 0;
    draft.bounded = draft.only_whole && once <= most_units_kept_for_all;
    draft.one_place = draft.only_whole && once == 0 && (plan.kept_words > 0 || plan.has_lane_words());
    plan.bounded = draft.bounded || (!draft.keeps_cursor && writes_heads_alone(draft));
    // With whole warps alone, the last place in a slab only shows that there was no more room.
    const std::uint32_t room = draft.bounded ? once : draft.only_whole ? most_units + 1 : 1;
    const std::uint32_t least = draft.keeps_cursor ? draft.first_unit + room : draft.first_unit;
    const std::uint32_t row = draft.one_place ? 4 * warp_size / unit_bytes : 0;  // a word for each lane
    const std::uint32_t parts =
        plan.lane_units > 0 ? warp_size * plan.lane_units + plan.value_area() / unit_bytes : 0;
    plan.min_chunk_units = std::bit_ceil(std::max({least, most_units + 1, parts, row}));
    plan.fixed_chunks = draft.bounded || plan.lane_units > 0;
    if (plan.fixed_chunks)
        for (FunctionDraft& function : draft.functions) function.chunk_units = plan.min_chunk_units;
}

void pack_lanes(Draft& draft) {
    RecordingPlan& plan = draft.plan;
    const InstrumentOptions& options = draft.options;
    plan.warp_hash = adds_up_lanes(draft.module) && draft.leaves_whole;
    plan.hash_in_head = plan.warp_hash && all_leave_at_once(draft);
    if ((plan.tallies > 0 && options.tally_bits == 0) || (plan.log_words > 0 && options.log_bits == 0))
        return;
    const std::uint32_t bits =
        plan.tallies * options.tally_bits + (plan.log_words > 0 ? options.log_bits + 1 : 0);
    if (bits == 0) return;
    plan.tally_bits = options.tally_bits;
    if (bits > 32) {
        plan.tallies_in_word = std::max(32 / (options.tally_bits + 1), 1u);
        return;
    }
    plan.lane_bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    plan.log_words = std::min(plan.log_words, 1u);
}

}  // namespace warplens::instrumentation
