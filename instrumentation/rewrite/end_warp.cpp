// The epilogue: at every way out of the kernel the leader of the lanes that leave writes the warp's head.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/lane_mask.h"
#include "instrumentation/rewrite/hash_lanes.h"
#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/lane_place.h"
#include "instrumentation/rewrite/leave_at_once.h"
#include "instrumentation/rewrite/leave_whole.h"
#include "instrumentation/rewrite/meet_behind_loops.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/value_columns.h"
#include "instrumentation/rewrite/warp_sum.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

// A leader that is still in the warp's slab finds the head below its cursor; any other one computes it, and
// so does a lane whose stream lost records, to say so there.
constexpr std::string_view find_head_by_cursor = R"(
.reg .b32 %limit, %lost; .reg .pred %away, %none;
and.b32 %below, %mask, %warplens_lt;
setp.eq.and.u32 %leads, %below, 0, %out;
mul.lo.u32 %limit, %slabs, %size;
not.b32 %lost, %size;
setp.ge.and.u32 %away, %warplens_cursor, %limit, %leads;
setp.eq.or.u32 %away, %warplens_cursor, %lost, %away;
neg.s32 %head, %size;
and.b32 %head, %warplens_cursor, %head;
@%away bra look;
)";

// Records of whole warps alone never leave the slab. A warp that is expected to be whole has its first lane
// lead.
constexpr std::string_view find_slab_head = "mov.b64 %at, %warplens_slab;\n";
constexpr std::string_view first_leads = R"(
mov.pred %leads, %warplens_leads;
mov.pred %first, %warplens_first;
)";
// Its first lane may have left where lanes leave at bounds checks.
constexpr std::string_view lowest_of_those_who_stay = R"(
.reg .b32 %lower;
mov.u32 %lower, %lanemask_lt;
and.b32 %below, %mask, %lower;
setp.eq.u32 %leads, %below, 0;
)";
constexpr std::string_view lowest_leads = R"(
.reg .b32 %lt;
mov.u32 %lt, %lanemask_lt;
and.b32 %below, %mask, %lt;
setp.eq.and.u32 %leads, %below, 0, %out;
{records}
setp.lt.u32 %first, %linear, 32;
)";

constexpr std::string_view find_head = R"(
.reg .b32 %limit, %lost; .reg .pred %none;
mov.u32 %limit, %lanemask_lt;
and.b32 %below, %mask, %limit;
setp.eq.and.u32 %leads, %below, 0, %out;
and.pred %leads, %leads, %selected;
not.b32 %lost, %size;
mul.lo.u32 %head, %slab, %size;
{has_no_slabs}@%none bra alone;
)";

// A slab or a part of one was too small, or warps were not whole: seldom, so that it stands out of the way.
constexpr std::string_view find_wrong_prediction = R"(
.reg .pred %full, %wrong; .reg .b32 %ended;
{full}
{wrong}
{report})";
constexpr std::string_view report_wrong_prediction = R"(
report:
.reg .b32 %mark;
mov.u32 %mark, 1;
@%full st.global.b32 [%base+{slabs_full}], %mark;
)";
constexpr std::string_view stream_is_lost =
    "not.b32 %ended, %size;\nsetp.eq.u32 %full, %warplens_cursor, %ended;\n";
constexpr std::string_view part_is_full = "setp.eq.u32 %full, %warplens_cursor, -1;\n";
constexpr std::string_view slab_is_full = "setp.ge.u32 %full, %warplens_cursor, %warplens_limit;\n";
constexpr std::string_view slab_has_room = "setp.ne.u32 %full, %now, %now;\n";
constexpr std::string_view of_a_warp_that_records = "and.pred %full, %full, %warplens_records;\n";
constexpr std::string_view is_too_large = "setp.ge.or.u32 %full, {}, {}, %full;\n";

/// %at is the warp's first chunk. Where streams can lose records, every lane says so there.
std::string report_lost(const Draft& draft, std::string_view who) {
    if (draft.only_whole || !draft.keeps_cursor || draft.plan.lane_units > 0) return {};
    return fmt::format(
        "setp.eq.and.u32 {0}, %warplens_cursor, %lost, {0};\n@{0} red.global.or.b32 [%at+{1}], {2};\n", who,
        draft.chunks_begin() + offsetof(WarpHead, identity), lost_records);
}

/// The lanes that leave something of their own.
std::string lanes_that_write(const Draft& draft, std::string_view who) {
    if (!draft.only_whole) return fmt::format("and.pred {}, %out, %selected;\n", who);
    if (!leaves_warps_out(draft.options)) return fmt::format("mov.pred {}, %out;\n", who);
    return fmt::format("and.pred {}, %out, %warplens_records;\n", who);
}

// Every lane's tallies and log in one number.
std::string write_packed(const RecordingPlan& plan, std::uint32_t at) {
    std::string text = ".reg .b32 %packed, %part;\nmov.u32 %packed, 0;\n";
    const auto add = [&](std::string_view value, std::uint32_t shift) {
        text += fmt::format("shl.b32 %part, {}, {};\nor.b32 %packed, %packed, %part;\n", value, shift);
    };
    for (std::uint32_t i = 0; i < plan.tallies; ++i) add(tally_register(i), i * plan.tally_bits);
    if (plan.log_words > 0) add("%warplens_log", plan.tallies * plan.tally_bits);
    // Each lane's own number is nearer than its word: all that it is off is less than a row.
    text += fmt::format(
        ".reg .b32 %nearer; .reg .b64 %number;\nshr.u32 %nearer, %of_lane, {};\n"
        "sub.u32 %nearer, %nearer, %of_lane;\ncvt.s64.s32 %number, %nearer;\nadd.s64 %number, %to, "
        "%number;\n",
        2 - std::countr_zero(plan.lane_bytes));
    return text + fmt::format("@%stores st.global.{} [%number+{}], %packed;\n",
                              plan.lane_bytes == 4   ? "b32"
                              : plan.lane_bytes == 2 ? "u16"
                                                     : "u8",
                              at);
}

/// Where tallies or a hash are left, every lane computes the head's place, unless it has kept it.
bool finds_head_by_cursor(const Draft& draft) {
    return draft.keeps_cursor &&
           (draft.only_whole || (!draft.hashes_addresses() && !draft.plan.has_lane_words()));
}

// Every lane leaves its passes through tallied loops, and the rest of its log. %of_lane: 4 times the lane.
std::string write_tallies(Draft& draft) {
    const RecordingPlan& plan = draft.plan;
    std::string text = ".reg .b32 %all_lanes;\n" + end_hash_of_lanes(draft.functions.front(), "%all_lanes");
    if (!draft.one_place)
        text += fmt::format(
            ".reg .b32 %of_lane; .reg .b64 %to;\n{}shl.b32 %of_lane, %of_lane, 2;\n"
            "cvt.u64.u32 %to, %of_lane;\nadd.u64 %to, %to, %at;\n",
            read_lane(draft.options, "%of_lane"));
    std::uint32_t begin = draft.chunks_begin() + plan.tally_offset;
    if (plan.warp_hash) text += sum_of_tallies(draft);
    else text += fmt::format("@%stores st.global.b32 [%to+{}], %all_lanes;\n", begin);
    begin += plan.hash_bytes();
    if (plan.lane_bytes > 0) text += write_packed(plan, begin);
    for (std::uint32_t i = 0; i < plan.tally_rows() && plan.lane_bytes == 0; ++i)
        text += fmt::format("@%stores st.global.b32 [%to+{}], {};\n", begin + 4 * warp_size * i,
                            tally_register(i));
    if (plan.stores_log_words())
        text += fmt::format(".reg .b64 %word;\n{}@%stores st.global.b32 [%word+{}], %warplens_log;\n",
                            log_place(draft).find_word, log_begin(draft));
    return text;
}

constexpr std::string_view write_head = R"(
found:
{place}{find}
setp.lt.u32 %first, %linear, 32;
@%leads st.global.v4.b32 [%at+{begin}], {{%warplens_start, %place, %now, {last}}};
@%first bra.uni first;
timed:
)";

// Out of the way: the assembler would have every warp read the timer, and which SM it is on. One of a block
// says it for all of them: a special register takes a scheduler 8 cycles.
constexpr std::string_view read_timer = R"(
first:
.reg .b64 %timer; .reg .b32 %sm;
mov.u32 %sm, %smid;
@%leads st.global.u16 [%at+{place}], %sm;
mov.u64 %timer, %globaltimer;
@%leads st.global.u64 [%at+{timer}], %timer;
bra timed;
)";

constexpr std::string_view look = R"(
look:
{identify_block}{find_slab}
mul.lo.u32 %head, %slab, %size;
{has_no_slabs}@%none bra alone;
mad.wide.u32 %at, %head, 16, %base;
setp.eq.u32 %none, %warplens_cursor, %lost;
@%none red.global.or.b32 [%at+{identity}], {lost_records};
bra found;
{filter_block})";

// Without slabs, lanes that leave take a chunk for their head.
constexpr std::string_view stand_alone = R"(
alone:
@!%leads bra found;
.reg .b32 %identity, %flag;
atom.global.add.u32 %head, [%base], 1;
setp.lt.u32 %leads, %head, %chunks;
sub.u32 %head, %head, 1;
mul.lo.u32 %head, %head, %size;
mad.wide.u32 %at, %head, 16, %base;
or.b32 %identity, %warp, 0x80000000;
setp.eq.u32 %none, %warplens_cursor, %lost;
selp.b32 %flag, {lost_records}, 0, %none;
or.b32 %identity, %identity, %flag;
@%leads st.global.v2.b32 [%at+{block}], {{%block, %identity}};
bra found;
)";

/// Sets %full: a record found no room, or a lane's log.
std::string slab_fills(const Draft& draft) {
    std::string text(draft.bounded                  ? slab_has_room
                     : draft.only_whole             ? slab_is_full
                     : draft.plan.lane_units > 0    ? part_is_full
                     : relies_on_whole_warps(draft) ? stream_is_lost
                                                    : slab_has_room);
    const RecordingPlan& plan = draft.plan;
    if (plan.stores_log_words()) {
        // Where no word is stored before the end, all bits have room in the first one.
        if (std::ranges::find(draft.empties_log, true) != draft.empties_log.end()) {
            const LogPlace log = log_place(draft);
            text += log.find_passed + fmt::format(is_too_large, log.passed, last_log_place(draft));
        }
    }
    if (plan.pass_bits > 0) text += "or.pred %full, %full, %warplens_many;\n";
    if (plan.value_words > 0 && !draft.columns_suffice)
        text += fmt::format(is_too_large, "%warplens_value_place", last_value_place(draft));
    if (plan.lane_bytes == 0 && plan.tallies_in_word > 1) {
        std::uint32_t highest = 0;
        for (std::uint32_t i = 1; i <= plan.tallies_in_word; ++i)
            highest |= 1u << (i * (plan.tally_bits + 1) - 1);
        text += ".reg .b32 %passed_bits;\n";
        for (std::uint32_t i = 0; i < plan.tally_rows(); ++i)
            text += fmt::format("and.b32 %passed_bits, {}, {};\n", tally_register(i), highest) +
                    "setp.ne.or.u32 %full, %passed_bits, 0, %full;\n";
    }
    if (plan.lane_bytes > 0) {
        for (std::uint32_t i = 0; i < plan.tallies; ++i)
            text += fmt::format(is_too_large, tally_register(i), 1u << plan.tally_bits);
        const std::uint32_t left = 8 * plan.lane_bytes - plan.tallies * plan.tally_bits;
        if (plan.log_words > 0 && left < 32) text += fmt::format(is_too_large, "%warplens_log", 1u << left);
    }
    if (draft.only_whole && leaves_warps_out(draft.options)) text += of_a_warp_that_records;
    return text;
}

/// Of whole warps.
std::string who_leads(const Draft& draft) {
    if (!draft.plan.lanes_leave()) return {};
    std::string text(lowest_of_those_who_stay);
    if (leaves_warps_out(draft.options)) text += "and.pred %leads, %leads, %warplens_records;\n";
    return text;
}

/// Sets %mask to the lanes that leave, %out for each of them, and reads the clock.
std::string who_leaves(Draft& draft, FunctionDraft& function, const ptx::Instruction* leave) {
    std::string text = "mov.u32 %now, %clock;\nactivemask.b32 %mask;\n";
    if (sums_ask_who_is_here(draft))
        text += ".reg .b32 %here;\n" + (expects_whole(draft) && draft.plan.kept_words == 0
                                            ? "mov.b32 %here, %mask;\n"
                                            : capture_under_guard(draft, function, "%here"));
    if (leave == nullptr || !leave->has_guard) return text + "setp.eq.u32 %out, %now, %now;\n";
    return text + fmt::format("{}.pred %out, %own{};\nvote.sync.ballot.b32 %mask, %out, %mask;\n",
                              leave->guard.negated ? "not" : "mov", leave->guard.predicate);
}

std::string end_text(Draft& draft, FunctionDraft& function, BasicBlockId block,
                     const ptx::Instruction* leave) {
    const std::uint32_t begin = draft.chunks_begin();
    const bool hashes = draft.hashes_addresses();
    const bool tallies = draft.plan.has_lane_words();
    const bool by_cursor = finds_head_by_cursor(draft);
    const bool all_leave = expects_whole(draft) && (leave == nullptr || !leave->has_guard);
    std::string text = block == draft.waits ? wait_once_for_whole(draft, function) : "";
    text += load_space(function);
    text += ".reg .b32 %mask, %below, %head, %now; .reg .b64 %at; .reg .pred %leads, %out, %first;\n";
    text += who_leaves(draft, function, leave);
    if (expects_whole(draft) && !draft.surely_whole[block] && !draft.checks_whole(block))
        text += check_whole(draft);
    if (slabs_can_be_full(draft))
        text += fmt::format(
            find_wrong_prediction, fmt::arg("full", slab_fills(draft)),
            fmt::arg("wrong", relies_on_whole_warps(draft) ? "or.pred %wrong, %warplens_apart, %full;"
                                                           : "mov.pred %wrong, %full;"),
            fmt::arg("report", draft.only_whole ? "" : "@%wrong bra report;\nreported:\n"));
    if (!draft.only_whole || !all_leave) text += identify_warp(draft.options);
    if (!by_cursor) text += fmt::format("{}{}", identify_block(draft.options), find_slab(draft.options));
    if (draft.only_whole)
        text += draft.one_place ? end_of_place(draft, all_leave) : std::string(find_slab_head);
    if (draft.only_whole && all_leave)
        text += (draft.one_place ? head_of_place(draft) : std::string(first_leads)) + who_leads(draft);
    else if (draft.only_whole)
        text += fmt::format(lowest_leads,
                            fmt::arg("records", leaves_warps_out(draft.options) ? "and.pred %leads, %leads, "
                                                                                  "%warplens_records;"
                                                                                : ""));
    else if (by_cursor) text += find_head_by_cursor;
    else text += fmt::format(find_head, fmt::arg("has_no_slabs", has_no_slabs(draft.options)));
    constexpr std::string_view find = "mad.wide.u32 %at, %head, 16, %base;\n";
    if (!draft.only_whole && (hashes || tallies)) text += find;
    if (hashes || tallies) text += ".reg .pred %stores;\n" + lanes_that_write(draft, "%stores");
    if (hashes)
        text += fmt::format(
            ".reg .b32 %lane_part;\n{}mul.lo.u32 %lane_part, %lane_part, {};\n",
            draft.one_place ? "shr.u32 %lane_part, %of_lane, 2;\n" : read_lane(draft.options, "%lane_part"),
            0x9E3779B1u);
    if (hashes) text += sum_of_addresses(draft);
    if (tallies) text += write_tallies(draft);
    if (hashes || tallies) text += report_lost(draft, "%stores");
    const BlockPlan& first = draft.plan.blocks.front();
    const bool balloted = first.source == BlockPlan::Source::whole && !first.guards.empty();
    const std::string last = draft.plan.hash_in_head ? "%sum_tallies"
                             : balloted              ? "%warplens_ballot"
                             : all_leave             ? std::string(every_lane)
                                                     : "%mask";
    if (draft.only_whole) return text + leave_whole(draft, leave == nullptr || !leave->has_guard, last);
    text += fmt::format(write_head, fmt::arg("begin", begin), fmt::arg("place", find_place),
                        fmt::arg("find", find), fmt::arg("last", last)) +
            "cold:\n" +
            fmt::format(read_timer, fmt::arg("place", begin + offsetof(WarpHead, place)),
                        fmt::arg("timer", begin + offsetof(WarpHead, timer)));
    if (slabs_can_be_full(draft)) {
        text += fmt::format(report_wrong_prediction, fmt::arg("slabs_full", offsetof(SpaceHead, slabs_full)));
        if (relies_on_whole_warps(draft))
            text += fmt::format(report_warps_apart, offsetof(SpaceHead, warps_apart));
        text += "bra reported;\n";
    }
    if (by_cursor)
        text += fmt::format(look, fmt::arg("has_no_slabs", has_no_slabs(draft.options)),
                            fmt::arg("identify_block", identify_block(draft.options)),
                            fmt::arg("find_slab", find_slab(draft.options)),
                            fmt::arg("filter_block", filter_block(draft.options)),
                            fmt::arg("identity", begin + offsetof(WarpHead, identity)),
                            fmt::arg("lost_records", lost_records));
    else text += filter_block(draft.options);
    text += fmt::format(stand_alone, fmt::arg("block", begin + offsetof(WarpHead, block)),
                        fmt::arg("lost_records", lost_records));
    return text;
}

BasicBlockId last_block_of(const Draft& draft, const FunctionDraft& function) {
    BasicBlockId last = 0;
    for (BasicBlockId b = 0; b < draft.graph.nodes.size(); ++b)
        if (draft.graph.nodes[b].function == function.index) last = b;
    return last;
}

}  // namespace

Status end_warp(Draft& draft) {
    for (SiteId site = 0; site < draft.numbered.origins.size(); ++site) {
        FunctionDraft& function = draft.function_of(site);
        const ptx::Instruction& instruction = draft.instruction(site);
        if (instruction.opcode == "exit" || (instruction.opcode == "ret" && function.is_entry))
            draft.put(
                function, draft.before(site),
                end_text(draft, function, draft.numbered.program.sites[site].basic_block, &instruction));
    }
    FunctionDraft& entry = draft.functions.front();
    if (draft.runs_off_its_end(entry))
        draft.put(entry, draft.last_place(entry),
                  end_text(draft, entry, last_block_of(draft, entry), nullptr));
    leave_at_once(draft);
    meet_behind_loops(draft);
    return draft.status();
}

}  // namespace warplens::instrumentation
