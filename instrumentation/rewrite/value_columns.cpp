#include "instrumentation/rewrite/value_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/passes.h"

namespace warplens::instrumentation {

namespace {

constexpr std::uint32_t row_bytes = 4 * warp_size;
constexpr std::uint32_t units_of_a_sector = 2;

/// Bytes of a lane's values in the block's record.
std::uint32_t value_bytes(const BlockPlan& block) {
    std::uint32_t bytes = 0;
    for (const RecordedValue& value : block.values) bytes += value.bytes;
    return bytes;
}

std::uint32_t most_words_of_a_visit(const RecordingPlan& plan) {
    std::uint32_t most = 0;
    for (const BlockPlan& block : plan.blocks) most = std::max(most, block.lane_words());
    return most;
}

/// Words of a lane that visits every block; the largest number if a block can be visited twice.
std::uint32_t words_if_once(const Draft& draft) {
    std::uint32_t words = 0;
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        if (draft.plan.blocks[b].lane_values.empty()) continue;
        if (draft.graph.reaches(b, b, no_index)) return 0xffffffffu;
        words += draft.plan.blocks[b].lane_words();
    }
    return words;
}

bool has_slabs(const InstrumentOptions& options) {
    return options.predict_whole || (options.launch && options.launch->has_slabs);
}

/// Units of records that a warp leaves once at most, and of the largest.
std::uint32_t units_behind_columns(const Draft& draft) {
    std::uint32_t units = 2;
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b)
        if (draft.plan.blocks[b].source == BlockPlan::Source::recorded &&
            !draft.graph.reaches(b, b, no_index))
            units += draft.plan.blocks[b].units;
    return units;
}

/// As many words as leave the slab no larger than `least` do: the less it is spread, the fewer sectors and
/// pages a warp's stores touch. `besides`: units of the slab that are not columns.
std::uint32_t words_that_fill_a_slab(std::uint32_t besides, std::uint32_t least) {
    constexpr std::uint32_t units_a_row = row_bytes / unit_bytes;
    return (std::bit_ceil(besides + least * units_a_row) - besides) / units_a_row;
}

/// Of a launch that may leave warps out: nothing is stored of those.
std::string_view whether_recorded(const Draft& draft) {
    if (!leaves_warps_out(draft.options)) return "";
    return draft.only_whole ? "mov.pred %stores, %warplens_records;\n"
                            : "setp.ne.u32 %stores, %warplens_lt, -1;\n";
}

}  // namespace

bool move_to_columns(Draft& draft, BasicBlockId b) {
    BlockPlan& block = draft.plan.blocks[b];
    const bool has_ballots =
        std::ranges::any_of(draft.ballots, [&](const GuardBallot& ballot) { return ballot.block == b; });
    if (block.values.empty() || has_ballots || draft.functions.size() > 1) return false;
    ++draft.could_have_columns;
    if (draft.options.value_words == 0 || !has_slabs(draft.options)) {
        block.value_units = (warp_size * value_bytes(block) + unit_bytes - 1) / unit_bytes;
        return false;
    }
    std::uint32_t words = 0;
    PayloadStore* last = nullptr;
    for (PayloadStore& store : draft.payload) {
        if (store.block != b) continue;
        for (const RecordedValue& value : block.values)
            if (value.offset >= store.offset && value.offset < store.offset + warp_size * store.stride)
                block.lane_values.push_back(
                    {value.value, 4 * words + value.offset - store.offset, 0, value.bytes});
        store.offset = 4 * words;
        words += static_cast<std::uint32_t>(store.words.size());
        last = &store;
    }
    last->ends_visit = true;
    block.values.clear();
    return true;
}

void plan_columns(Draft& draft) {
    RecordingPlan& plan = draft.plan;
    const std::uint32_t once = words_if_once(draft);
    if (once == 0) return;
    draft.columns_suffice = once <= draft.options.value_words;
    // Behind the parts that lanes have, or before the records.
    const bool before_records = plan.lane_units == 0;
    if (before_records)
        draft.first_unit = (draft.first_unit + units_of_a_sector - 1) / units_of_a_sector * units_of_a_sector;
    const std::uint32_t begin = before_records ? draft.first_unit : warp_size * plan.lane_units;
    // A place in a full column is one where a visit's words still fit.
    plan.value_words =
        draft.columns_suffice
            ? once
            : words_that_fill_a_slab(before_records ? begin + units_behind_columns(draft) : begin,
                                     std::max(draft.options.value_words, most_words_of_a_visit(plan) + 1));
    plan.values_offset = begin * unit_bytes;
    if (before_records) draft.first_unit += plan.value_area() / unit_bytes;
}

std::string begin_columns(Draft& draft, FunctionDraft& entry) {
    draft.share(entry, "%warplens_value_place", ptx::Type::b32);
    return fmt::format("{}shl.b32 %warplens_value_place, %warplens_value_place, 2;\n",
                       read_lane(draft.options, "%warplens_value_place"));
}

std::string store_in_column(const Draft& draft, const PayloadStore& store) {
    const std::string_view recorded = whether_recorded(draft);
    std::string text = fmt::format(
        ".reg .b64 %to; .reg .pred %stores;\n{}cvt.u64.u32 %to, %warplens_value_place;\n"
        "add.u64 %to, %to, %warplens_slab;\n",
        recorded);
    const std::uint32_t begin =
        draft.chunks_begin() + draft.plan.values_offset + store.offset / 4 * row_bytes;
    for (std::uint32_t i = 0; i < store.words.size(); ++i)
        text += fmt::format("{}st.global.b32 [%to+{}], %w{};\n", recorded.empty() ? "" : "@%stores ",
                            begin + i * row_bytes, i);
    if (!store.ends_visit) return text;
    text += fmt::format("add.u32 %warplens_value_place, %warplens_value_place, {};\n",
                        draft.plan.blocks[store.block].lane_words() * row_bytes);
    if (!draft.columns_suffice)
        text += fmt::format("min.u32 %warplens_value_place, %warplens_value_place, {};\n",
                            last_value_place(draft));
    return text;
}

std::uint32_t last_value_place(const Draft& draft) {
    return (draft.plan.value_words - most_words_of_a_visit(draft.plan)) * row_bytes;
}

}  // namespace warplens::instrumentation
