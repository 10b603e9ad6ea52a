// The prologue, as short as it can be: what comes before a kernel's first loads delays them. Only the clock
// is read at once; who the warp is and where it records is found out at the end of the first block.
#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/lane_place.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/value_columns.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

// The cursor is the last unit that the stream wrote, counted from the first chunk; all ones: it has no chunk
// yet. Nobody is below the mask of a warp that does not record, so that no lane of it ever leads.
constexpr std::string_view begin_stream = R"(
.reg .b32 %head; .reg .pred %mine;
mov.u32 %warplens_lt, %lanemask_lt;
.reg .pred %none;
{has_no_slabs}
setp.eq.and.u32 %mine, %warplens_lt, 0, %selected;
@%none setp.ne.u32 %mine, %slabs, 0;
@!%selected mov.u32 %warplens_lt, -1;
mul.lo.u32 %head, %slab, %size;
add.u32 %head, %head, {last};
selp.b32 %warplens_cursor, %head, -1, %mine;
{find_log}cold:
)";

// Every lane has its part of the slab.
constexpr std::string_view begin_part = R"(
.reg .b32 %head, %lane; .reg .pred %leader;
mov.u32 %warplens_lt, %lanemask_lt;
mov.u32 %lane, %laneid;
setp.eq.u32 %leader, %lane, 0;
@!%selected mov.u32 %warplens_lt, -1;
mul.lo.u32 %head, %slab, %size;
mad.lo.u32 %warplens_cursor, %lane, {part}, %head;
@%leader add.u32 %warplens_cursor, %head, {last};
{find_log}cold:
)";

constexpr std::string_view find_slab_of_lanes = R"(
mul.lo.u32 %head, %slab, %size;
mad.wide.u32 %warplens_slab, %head, 16, %base;
)";

constexpr std::string_view find_log = R"(
mov.u32 %warplens_log_place, %laneid;
shl.b32 %warplens_log_place, %warplens_log_place, 2;
)";

// Of whole warps alone: all lanes count alike, from the beginning of the warp's slab to its last place. Who
// the lane is is found out here, where the kernel reads the thread's index as well: reading a special
// register takes a scheduler eight cycles (measured on sm_90).
constexpr std::string_view begin_slab = R"(
.reg .b32 %head, %lane;
{lane}
{records}{place}{address}mov.u32 %warplens_cursor, {last};
{limit}{find_log}cold:
)";

// Records are written as the warp goes, and predicates take no register.
constexpr std::string_view find_leader = R"(
setp.eq.and.u32 %warplens_leads, %lane, 0, %selected;
setp.lt.u32 %warplens_first, %linear, 32;
)";

// Behind checks at which lanes may have left.
constexpr std::string_view find_leader_of_those_here = R"(
.reg .b32 %here, %bit, %lowest;
mov.u32 %bit, 1;
shl.b32 %bit, %bit, %lane;
activemask.b32 %here;
neg.s32 %lowest, %here;
and.b32 %lowest, %lowest, %here;
setp.eq.and.u32 %warplens_leads, %bit, %lowest, %selected;
setp.lt.u32 %warplens_first, %linear, 32;
)";

bool lanes_left_before(const Draft& draft, BasicBlockId block) {
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b)
        if (draft.plan.blocks[b].lanes_leave && draft.graph.reaches(b, block, no_index)) return true;
    return false;
}

std::string begin_whole(Draft& draft, FunctionDraft& entry, std::string_view logs) {
    std::string limit, records, address, place;
    if (draft.one_place) {
        place = begin_lane_place(draft, entry);
    } else {
        for (const char* name : {"%warplens_leads", "%warplens_first"})
            draft.share(entry, name, ptx::Type::pred);
        place = lanes_left_before(draft, draft.start_block) ? find_leader_of_those_here : find_leader;
    }
    if (Draft::has_shared(entry, "%warplens_slab")) address = slab_of_first_lane(draft);
    if (Draft::has_shared(entry, "%warplens_slab") && address.empty())
        address = draft.plan.fixed_chunks ? fmt::format("mad.wide.u32 %warplens_slab, %slab, {}, %base;\n",
                                                        draft.plan.min_chunk_units * unit_bytes)
                                          : std::string(find_slab_of_lanes);
    if (leaves_warps_out(draft.options)) {
        draft.share(entry, "%warplens_records", ptx::Type::pred);
        records = "mov.pred %warplens_records, %selected;\n";
    }
    if (!draft.bounded) {
        draft.share(entry, "%warplens_limit", ptx::Type::b32);
        std::uint32_t most = 0;
        for (const BlockPlan& block : draft.plan.blocks) most = std::max(most, block.units);
        limit = fmt::format("sub.u32 %warplens_limit, %size, {};\n", most + 1);
    }
    return fmt::format(begin_slab,
                       fmt::arg("lane", has_rows_of_warps(draft.options) ? read_lane(draft.options, "%lane")
                                                                         : "and.b32 %lane, %linear, 31;"),
                       fmt::arg("records", records), fmt::arg("place", place), fmt::arg("address", address),
                       fmt::arg("last", draft.first_unit - 1), fmt::arg("limit", limit),
                       fmt::arg("find_log", logs));
}

/// Whether addresses are read with more than the recording: generic ones, or those of variables.
bool has_something_to_announce(const Draft& draft) {
    if (!draft.plan.symbols.empty()) return true;
    if (draft.options.launch && draft.options.launch->geometry.cluster.count() > 1) return true;
    for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
        const ptx::Instruction& instruction = draft.instruction(site);
        if (instruction.opcode == "mapa" || (instruction.opcode == "cvta" && !instruction.has("global")) ||
            (ptx::site_kind(instruction) == SiteKind::memory &&
             draft.numbered.program.sites[site].space == Space::none))
            return true;
    }
    return false;
}

// What the host must know to read addresses: where other spaces lie in the generic one, and the variables.
// All lanes of the first warp say the same, so that the branch is one of whole warps.
std::string announce(const Draft& draft) {
    std::string text =
        ".reg .pred %zero;\nsetp.lt.u32 %zero, %linear, 32;\nsetp.eq.and.u32 %zero, %block, 0, %zero;\n"
        "@%zero bra.uni announce;\nannounced:\ncold:\nannounce:\n.reg .b64 %window;\n";
    const auto store = [&](std::size_t offset) {
        text += fmt::format("st.global.u64 [%base+{}], %window;\n", offset);
    };
    text += "mov.u64 %window, 0;\ncvta.shared.u64 %window, %window;\n";
    store(offsetof(SpaceHead, shared_window));
    text += "mov.u64 %window, 0;\ncvta.local.u64 %window, %window;\n";
    store(offsetof(SpaceHead, local_window));
    if (draft.options.launch && draft.options.launch->geometry.cluster.count() > 1) {
        text += "mov.u64 %window, 0;\ncvta.shared.u64 %window, %window;\nmapa.u64 %window, %window, 0;\n";
        store(offsetof(SpaceHead, cluster_window));
    }
    for (std::size_t i = 0; i < draft.plan.symbols.size(); ++i) {
        text += fmt::format("mov.u64 %window, {};\n", draft.plan.symbols[i]);
        store(sizeof(SpaceHead) + 8 * i);
    }
    return text + "bra announced;\n";
}

}  // namespace

Status start_warp(Draft& draft) {
    FunctionDraft& entry = draft.functions.front();
    draft.share(entry, "%warplens_start", ptx::Type::b32);
    draft.put(entry, {}, "mov.u32 %warplens_start, %clock;\n");
    if (draft.plan.kept_words > 0) begin_kept_words(draft, entry);
    if (draft.calls) {
        keep_base_by_lane(draft, entry);
        keep_locals_by_lane(draft, entry);
        for (FunctionDraft& function : draft.functions) keep_divisions_by_lane(draft, function);
    }
    if (relies_on_whole_warps(draft)) {
        draft.share(entry, "%warplens_apart", ptx::Type::pred);
        draft.put(entry, {}, "setp.ne.u32 %warplens_apart, %warplens_start, %warplens_start;\n");
    }
    for (FunctionDraft& function : draft.functions) {
        if (function.is_entry) continue;
        for (const char* name : {"%warplens_lt", "%warplens_cursor", "%warplens_start", "%warplens_ballot"})
            draft.share(function, name, ptx::Type::b32);
    }
    if (draft.options.mode != RecordMode::light && has_something_to_announce(draft))
        draft.put(entry, draft.start_of_recording(0),
                  fmt::format("{}{}{}{}", load_space(entry), identify_warp(draft.options),
                              identify_block(draft.options), announce(draft)),
                  draft.plan.symbols);
    if (draft.keeps_cursor) {
        if (!draft.only_whole) draft.share(entry, "%warplens_lt", ptx::Type::b32);
        draft.share(entry, "%warplens_cursor", ptx::Type::b32);
        const bool logs = draft.plan.stores_log_words() && !draft.one_place;
        const bool fills_columns = draft.plan.value_words > 0;
        if ((draft.only_whole && !draft.one_place) || logs || fills_columns)
            draft.share(entry, "%warplens_slab", ptx::Type::b64);
        if (logs) draft.share(entry, "%warplens_log_place", ptx::Type::b32);
        const std::string places =
            fmt::format("{}{}", logs ? find_log : "", fills_columns ? begin_columns(draft, entry) : "");
        std::string begin = fmt::format(
            fmt::runtime(draft.plan.lane_units > 0 ? begin_part : begin_stream),
            fmt::arg("has_no_slabs", has_no_slabs(draft.options)), fmt::arg("part", draft.plan.lane_units),
            fmt::arg("last", draft.first_unit - 1),
            fmt::arg("find_log",
                     logs || fills_columns ? fmt::format("{}{}", find_slab_of_lanes, places) : ""));
        if (draft.only_whole) begin = begin_whole(draft, entry, places);
        draft.put(entry, draft.start_of_recording(draft.start_block),
                  fmt::format("{}{}{}{}{}{}", load_space(entry), identify_warp(draft.options),
                              identify_block(draft.options), find_slab(draft.options), begin,
                              filter_block(draft.options)));
    } else {
        draft.share(entry, "%warplens_cursor", ptx::Type::b32);
        draft.put(entry, {}, "mov.u32 %warplens_cursor, -1;\n");
    }
    return draft.status();
}

}  // namespace warplens::instrumentation
