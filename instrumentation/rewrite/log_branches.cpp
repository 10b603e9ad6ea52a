// Where lanes are expected to go apart, each of them keeps its branches as bits of a word in a register and
// stores the word when it is nearly full, without a branch and without asking who else is there.
#include <fmt/format.h>

#include <algorithm>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/count_passes.h"
#include "instrumentation/rewrite/hash_lanes.h"
#include "instrumentation/rewrite/lane_place.h"
#include "instrumentation/rewrite/passes.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

// What has no room goes over the last word; the end of the warp sees that the log is full.
constexpr std::string_view store_word = R"(
.reg .pred %flush, %room; .reg .b64 %word;
setp.ge.u32 %flush, %warplens_log, {nearly_full};
{selected}
@%flush bra flush;
flushed:
cold:
flush:
{find}
st.global.b32 [%word+{begin}], %warplens_log;
setp.lt.u32 %room, {passed}, {last};
@%room add.u32 {place}, {place}, {row};
mov.u32 %warplens_log, 1;
bra flushed;
)";

// What does not wait for the branch's predicate comes first; a 0 or 1 selected by it would be added later,
// and take a register.
constexpr std::string_view add_bit = R"(
shl.b32 %warplens_log, %warplens_log, 1;
@{negate}%own{predicate} add.u32 %warplens_log, %warplens_log, 1;
)";

/// Of a launch that may leave warps out: nothing is stored of those.
std::string_view records_log(const Draft& draft) {
    return draft.only_whole ? "and.pred %flush, %flush, %warplens_records;"
                            : "setp.ne.and.u32 %flush, %warplens_lt, -1, %flush;";
}

}  // namespace

std::uint32_t log_begin(const Draft& draft) {
    return draft.chunks_begin() + draft.plan.tally_offset + draft.plan.hash_bytes() +
           4 * warp_size * draft.plan.tally_rows();
}

std::uint32_t last_log_place(const Draft& draft) { return 4 * warp_size * (draft.plan.log_words - 1); }

Status log_branches(Draft& draft) {
    if (!draft.plan.has_lane_words()) return {};
    FunctionDraft& entry = draft.functions.front();
    begin_hash_of_lanes(draft, entry);
    if (draft.plan.log_words > 0) {
        draft.share(entry, "%warplens_log", ptx::Type::b32);
        draft.put(entry, {}, "mov.u32 %warplens_log, 1;\n");
    }
    begin_count(draft, entry);
    const bool leaves_out = leaves_warps_out(draft.options);
    const LogPlace place = log_place(draft);
    const std::string find = (draft.one_place ? load_space(entry) : "") + place.find_passed + place.find_word;
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) {
        const BlockPlan& block = draft.plan.blocks[b];
        if (draft.plan.log_words > 0 && draft.empties_log[b])
            draft.put(entry, draft.begin_of(b),
                      fmt::format(store_word, fmt::arg("nearly_full", 1u << (31 - draft.log_bits)),
                                  fmt::arg("selected", leaves_out ? records_log(draft) : ""),
                                  fmt::arg("find", find), fmt::arg("begin", log_begin(draft)),
                                  fmt::arg("passed", place.passed), fmt::arg("last", last_log_place(draft)),
                                  fmt::arg("place", place.name), fmt::arg("row", 4 * warp_size)));
        if (const std::string passes = log_passes(draft, b); !passes.empty())
            draft.put(entry, draft.begin_of(b), passes);
        if (block.hashes_lanes) draft.put(entry, draft.begin_of(b), hash_active_lanes(draft, entry, b));
        if (block.counts_passes) draft.put(entry, draft.end_of(b), count_pass(draft, b));
        if (const std::string takes = block.precedes_loop ? hash_last_lanes(draft, b) : ""; !takes.empty())
            draft.put(entry, draft.end_of(b), takes);
        const ptx::Guard& guard = draft.terminator(b).guard;
        if (block.hashes_branch) draft.put(entry, draft.end_of(b), hash_branch(guard));
        if (!block.logs_branch || block.counts_passes) continue;
        draft.put(entry, draft.end_of(b),
                  fmt::format(add_bit, fmt::arg("negate", guard.negated ? "!" : ""),
                              fmt::arg("predicate", guard.predicate)));
    }
    return draft.status();
}

}  // namespace warplens::instrumentation
