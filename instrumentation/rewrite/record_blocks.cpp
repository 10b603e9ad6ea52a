// Basic blocks capture who is on, and the clock, where they begin, and write both before they end: after the
// block's own loads, and when the ballot of its branch is known.
#include <fmt/format.h>

#include <algorithm>

#include "instrumentation/rewrite/hash_lanes.h"
#include "instrumentation/rewrite/kept_words.h"
#include "instrumentation/rewrite/passes.h"
#include "instrumentation/rewrite/record_texts.h"
#include "instrumentation/rewrite/recording_space.h"
#include "instrumentation/rewrite/take_chunk.h"
#include "ptx/opcodes.h"

namespace warplens::instrumentation {

namespace {

// A vote of the lanes of a mask, which have been together since it was captured. The assembler makes a vote
// over a mask in a register ask first whether all have come, a long chain of instructions.
constexpr std::string_view votes_of_those_here = R"(
.reg .b32 %others;
mov.u32 %voted, 0;
mov.u32 %others, 0;
@%jumps activemask.b32 %voted;
@!%jumps activemask.b32 %others;
@!%jumps xor.b32 %voted, {}, %others;
)";

// Where the end of the warp does not look at cursors.
constexpr std::string_view lost_in_head = R"(
.reg .pred %dropped; .reg .b32 %slab_head; .reg .b64 %slab_at;
setp.eq.u32 %dropped, %warplens_cursor, %lost;
mul.lo.u32 %slab_head, %slab, %size;
mad.wide.u32 %slab_at, %slab_head, 16, %base;
setp.ne.and.u32 %dropped, %slabs, 0, %dropped;
@%dropped red.global.or.b32 [%slab_at+{identity}], {lost_records};
)";

// Shared by all blocks that are passed: what the next record of a whole warp takes along.
const std::string ballot_register = "%warplens_passed_ballot", passes_register = "%warplens_passes";

class Recorder {
  public:
    explicit Recorder(Draft& draft) : draft_(draft) {}

    /// The registers that blocks share: the one that sets them may come later in the text than one that
    /// reads.
    void declare(BasicBlockId b) {
        const BlockPlan& block = draft_.plan.blocks[b];
        FunctionDraft& function = draft_.function_of(draft_.first_site(b));
        if (draft_.captures_mask[b] && !draft_.whole[b])
            draft_.share(function, captured_mask(b), ptx::Type::b32);
        if (block.source == BlockPlan::Source::passed && !block.guards.empty())
            draft_.share(function, ballot_register, ptx::Type::b32);
        if (block.carries == BlockPlan::Carries::count && !draft_.has_shared(function, passes_register)) {
            draft_.share(function, passes_register, ptx::Type::b32);
            draft_.put(function, {}, fmt::format("mov.u32 {}, 0;\n", passes_register));
        }
    }

    void record(BasicBlockId b) {
        const BlockPlan& block = draft_.plan.blocks[b];
        FunctionDraft& function = draft_.function_of(draft_.first_site(b));
        if (block.extra == BlockPlan::Extra::arrival_clock) {
            std::string text;
            if (block.kept.extra != no_index) {
                text = keep_word(block.kept.extra, "%clock");
            } else {
                draft_.share(function, arrival_clock(b), ptx::Type::b32);
                text = fmt::format("mov.u32 {}, %clock;\n", arrival_clock(b));
            }
            draft_.put(function, draft_.before(draft_.last_site(b - 1)), text);
        }
        if (block.clock_of_arrival)
            draft_.put(function, draft_.before(draft_.last_site(b - 1)), read_clock(function, b));
        if (draft_.captures_mask[b]) capture(function, b);
        switch (block.source) {
            case BlockPlan::Source::recorded:
                if (draft_.holds_payload(b)) {
                    reserve(function, b);
                    break;
                }
                write(function, b);
                break;
            case BlockPlan::Source::checked:
                if (draft_.whole[b] && draft_.whole[draft_.plan.blocks[b].follows]) check_warp(function, b);
                else check(function, b);
                break;
            case BlockPlan::Source::passed:
                pass(function, b);
                break;
            case BlockPlan::Source::tallied:
                tally(function, b);
                break;
            case BlockPlan::Source::whole:
                if (block.guards.empty()) break;
                draft_.share(function, "%warplens_ballot", ptx::Type::b32);
                draft_.put(function, draft_.end_of(b), ballot(b) + "mov.b32 %warplens_ballot, %voted;\n");
                break;
            default:
                break;
        }
    }

  private:
    /// Where %full asks for room. All lanes of the mask go to the cold part together, so that none of them
    /// has to be waited for after it; not where some of the mask may be elsewhere.
    std::string branch_to_room(std::string_view mask, bool all_are_here) const {
        if (!all_are_here || draft_.options.cold_in_place || !codegen_choices.vote_for_room)
            return "@%full bra full;";
        return fmt::format(".reg .pred %any;\nvote.sync.any.pred %any, %full, {};\n@%any bra.uni full;",
                           mask);
    }

    std::string take(BasicBlockId b, std::string_view clock, bool known) const {
        std::string text = take_chunk(draft_, b, draft_.plan.blocks[b].units, clock, known);
        if (known)
            text += fmt::format(lost_in_head,
                                fmt::arg("identity", draft_.chunks_begin() + offsetof(WarpHead, identity)),
                                fmt::arg("lost_records", lost_records));
        return text + "onwards:\nbra write;\n";
    }

    void write(FunctionDraft& function, BasicBlockId b) {
        std::string text = ballot(b);
        text += draft_.whole[b] ? visit_whole(function, b) : visit(function, b, "");
        // Kept clocks are a whole record.
        if (!text.empty()) draft_.put(function, draft_.end_of(b), text);
    }

    void reserve(FunctionDraft& function, BasicBlockId b) {
        const BlockPlan& block = draft_.plan.blocks[b];
        const std::string_view tell =
            adds_up_lanes(draft_.module) && !draft_.calls ? tell_unit : tell_unit_by_shuffle;
        draft_.share(function, record_address(b), ptx::Type::b64);
        draft_.share(function, record_exists(b), ptx::Type::pred);
        draft_.share(function, record_leader(b), ptx::Type::pred);
        const std::uint32_t part = draft_.plan.lane_units;
        draft_.put(
            function, draft_.begin_of(b),
            load_space(function) +
                fmt::format(fmt::runtime(part > 0 ? reserve_visit_in_part : reserve_visit),
                            fmt::arg("tell_unit",
                                     fmt::format(fmt::runtime(tell), fmt::arg("mask", captured_mask(b)))),
                            fmt::arg("branch", branch_to_room(captured_mask(b), true)),
                            fmt::arg("part", part), fmt::arg("mask", captured_mask(b)),
                            fmt::arg("units", block.units), fmt::arg("record", record_address(b)),
                            fmt::arg("exists", record_exists(b)), fmt::arg("leader", record_leader(b))) +
                (part > 0 ? "" : take(b, captured_clock(b), false)));
        const RecordedGuard* branch = branch_guard(b);
        std::string text = ballot(b);
        text += fmt::format("@{} st.global.v4.b32 [{}+{}], {{{}, {}, {}, {}}};\n", record_leader(b),
                            record_address(b), draft_.chunks_begin(), b + 1, captured_mask(b),
                            captured_clock(b), extra(b));
        if (branch != nullptr && branch->offset != offsetof(VisitUnit, extra))
            text += fmt::format("@{} st.global.b32 [{}+{}], %voted;\n", record_leader(b), record_address(b),
                                draft_.chunks_begin() + branch->offset);
        draft_.put(function, draft_.end_of(b), text);
    }

    /// What stands in VisitUnit::extra.
    std::string extra(BasicBlockId b) const {
        if (draft_.plan.blocks[b].extra == BlockPlan::Extra::arrival_clock) return arrival_clock(b);
        const RecordedGuard* branch = branch_guard(b);
        return branch != nullptr && branch->offset == offsetof(VisitUnit, extra) ? "%voted" : "0";
    }

    void capture(FunctionDraft& function, BasicBlockId b) {
        if (draft_.whole[b]) return check_warp(function, b);
        draft_.share(function, captured_mask(b), ptx::Type::b32);
        std::string text = capture_mask(draft_, function, captured_mask(b));
        if (draft_.plan.blocks[b].source == BlockPlan::Source::recorded) {
            // A block-wide barrier holds back the next memory or barrier instruction, not the clock's read:
            // without this one the clock would be that of the arrival (measured on sm_90).
            if (draft_.plan.blocks[b].extra == BlockPlan::Extra::arrival_clock)
                text += fmt::format("bar.warp.sync {};\n", captured_mask(b));
            text += read_clock(function, b);
        }
        draft_.put(function, draft_.begin_of(b), text);
    }

    /// The record's clock.
    std::string read_clock(FunctionDraft& function, BasicBlockId b) {
        const std::uint32_t kept = draft_.plan.blocks[b].kept.clock;
        if (kept != no_index) return keep_word(kept, "%clock");
        draft_.share(function, captured_clock(b), ptx::Type::b32);
        return fmt::format("mov.u32 {}, %clock;\n", captured_clock(b));
    }

    /// What the next record takes along: how often the loop was passed, or the ballot of the branch.
    void pass(FunctionDraft& function, BasicBlockId b) {
        if (!draft_.plan.blocks[b].guards.empty())
            draft_.put(function, draft_.end_of(b),
                       ballot(b) + fmt::format("mov.b32 {}, %voted;\n", ballot_register));
        const bool counted = std::ranges::any_of(draft_.plan.blocks, [&](const BlockPlan& block) {
            return block.carries == BlockPlan::Carries::count && block.carrier == b;
        });
        if (counted)
            draft_.put(function, draft_.begin_of(b), fmt::format("add.u32 {0}, {0}, 1;\n", passes_register));
    }

    /// tally_step() of recording_plan.h.
    void tally(FunctionDraft& function, BasicBlockId b) {
        const std::uint32_t tally = draft_.plan.blocks[b].tally, in_word = draft_.plan.tallies_in_word;
        const std::string passes = tally_register(tally / in_word);
        const std::uint32_t one = 1u << tally % in_word * (draft_.plan.tally_bits + 1);
        if (!Draft::has_shared(function, passes)) {
            draft_.share(function, passes, ptx::Type::b32);
            draft_.put(function, {}, fmt::format("mov.u32 {}, 0;\n", passes));
        }
        begin_hash_of_lanes(draft_, function);
        draft_.put(
            function, draft_.begin_of(b),
            hash_active_lanes(draft_, function, b) + fmt::format("add.u32 {0}, {0}, {1};\n", passes, one));
    }

    /// What stands in VisitUnit::active of a whole warp's record.
    std::string active_word(BasicBlockId b) const {
        switch (draft_.plan.blocks[b].carries) {
            case BlockPlan::Carries::ballot:
                return ballot_register;
            case BlockPlan::Carries::own_ballot:
                return "%voted";
            case BlockPlan::Carries::count:
                return passes_register;
            default:
                return mask_of(b);
        }
    }

    std::string mask_of(BasicBlockId b) const {
        return draft_.whole[b] ? std::string(every_lane) : captured_mask(b);
    }

    void check_warp(FunctionDraft& function, BasicBlockId b) {
        const BlockPlan& block = draft_.plan.blocks[b];
        if (block.source == BlockPlan::Source::whole) return;
        std::string text;
        if (!draft_.surely_whole[b]) text = check_whole(draft_);
        if (block.extra == BlockPlan::Extra::arrival_clock) text += wait_for_whole(draft_, function);
        if (block.source == BlockPlan::Source::recorded && !block.clock_of_arrival)
            text += read_clock(function, b);
        if (!text.empty()) draft_.put(function, draft_.begin_of(b), text);
    }

    /// What the record has besides its clocks.
    std::string keep_words(BasicBlockId b) const {
        const BlockPlan& block = draft_.plan.blocks[b];
        std::string text;
        if (block.kept.extra != no_index && block.extra == BlockPlan::Extra::none)
            text += keep_word(block.kept.extra, "%voted");
        if (block.kept.active != no_index) text += keep_word(block.kept.active, active_word(b));
        if (block.kept.ballot != no_index) text += keep_word(block.kept.ballot, "%voted");
        if (block.carries == BlockPlan::Carries::count)
            text += fmt::format("mov.u32 {}, 0;\n", passes_register);
        return text;
    }

    std::string visit_whole(const FunctionDraft& function, BasicBlockId b) const {
        if (draft_.plan.kept_words > 0) return keep_words(b);
        if (!draft_.only_whole)
            return load_space(function) +
                   visit_at_once(b, first_lane_leads, active_word(b), captured_clock(b));
        return filled(write_in_slab, b, active_word(b), captured_clock(b)) + behind_record(b) +
               std::string(draft_.bounded ? written_in_bounded_slab : written_in_slab);
    }

    /// In the warp's slab, or the part of it that the leader has, without a branch.
    std::string visit_at_once(BasicBlockId b, std::string_view leads, std::string_view mask,
                              std::string_view clock) const {
        const std::uint32_t part = draft_.plan.lane_units;
        return filled(write_whole, b, mask, clock, leads, part > 0 ? std::to_string(part) : "%size") +
               behind_record(b) + std::string(part > 0 ? written_in_part : written_whole);
    }

    std::string filled(std::string_view text, BasicBlockId b, std::string_view mask, std::string_view clock,
                       std::string_view leads = "", std::string_view room = "") const {
        const std::string who = fmt::format(fmt::runtime(leads), fmt::arg("mask", mask));
        return fmt::format(fmt::runtime(text), fmt::arg("leads", who), fmt::arg("room", room),
                           fmt::arg("units", draft_.plan.blocks[b].units), fmt::arg("block", b + 1),
                           fmt::arg("mask", mask), fmt::arg("clock", clock),
                           fmt::arg("first", draft_.chunks_begin() + unit_bytes),
                           fmt::arg("extra", extra(b)));
    }

    /// What follows a record's first unit where %fits.
    std::string behind_record(BasicBlockId b) const {
        const BlockPlan& block = draft_.plan.blocks[b];
        const RecordedGuard* branch = branch_guard(b);
        std::string text;
        if (block.carries == BlockPlan::Carries::count)
            text += fmt::format("mov.u32 {}, 0;\n", passes_register);
        if (branch != nullptr && branch->offset >= unit_bytes)
            text += fmt::format("@%fits st.global.b32 [%at+{}], %voted;\n",
                                draft_.chunks_begin() + unit_bytes + branch->offset);
        return text;
    }

    /// Declares and sets %voted: the lanes that the block's own branch lets jump.
    std::string ballot(BasicBlockId b) {
        if (branch_guard(b) == nullptr) return {};
        const ptx::Guard& guard = draft_.terminator(b).guard;
        if (!draft_.captures_mask[b]) {
            draft_.captures_mask[b] = true;
            FunctionDraft& function = draft_.function_of(draft_.first_site(b));
            capture(function, b);
        }
        const bool at_once =
            !draft_.calls && !draft_.whole[b] && !draft_.holds_payload(b) && b != draft_.start_block;
        return fmt::format(".reg .b32 %voted; .reg .pred %jumps;\n{}.pred %jumps, %own{};\n{}",
                           guard.negated ? "not" : "mov", guard.predicate,
                           at_once ? fmt::format(votes_of_those_here, captured_mask(b))
                                   : fmt::format("vote.sync.ballot.b32 %voted, %jumps, {};\n", mask_of(b)));
    }

    const RecordedGuard* branch_guard(BasicBlockId b) const {
        for (const RecordedGuard& guard : draft_.plan.blocks[b].guards)
            if (guard.site == draft_.last_site(b) && draft_.instruction(guard.site).opcode == "bra")
                return &guard;
        return nullptr;
    }

    /// One record. With `check`, code that comes first and leads to `enter` in the cold part.
    std::string visit(const FunctionDraft& function, BasicBlockId b, std::string_view check) {
        const BlockPlan& block = draft_.plan.blocks[b];
        const bool checked = !check.empty();
        const RecordedGuard* branch = branch_guard(b);
        std::string text = load_space(function);
        text += check;
        if (draft_.plan.lane_units > 0)
            return text +
                   visit_at_once(b, lowest_lane_leads, checked ? "%mask" : captured_mask(b),
                                 checked ? "%entered" : captured_clock(b)) +
                   (checked ? "bra checked;\n" : "");
        text +=
            fmt::format(write_visit, fmt::arg("branch", branch_to_room(captured_mask(b), !checked)),
                        fmt::arg("mask", checked ? "%mask" : captured_mask(b)),
                        fmt::arg("lt", draft_.keeps_cursor ? "%warplens_lt" : "%lt"),
                        fmt::arg("clock", checked ? "%entered" : captured_clock(b)),
                        fmt::arg("units", block.units), fmt::arg("block", b + 1),
                        fmt::arg("first", draft_.chunks_begin() + unit_bytes), fmt::arg("extra", extra(b)));
        if (branch != nullptr && branch->offset != offsetof(VisitUnit, extra))
            text += fmt::format("@%leads st.global.b32 [%at+{}], %voted;\n",
                                draft_.chunks_begin() + unit_bytes + branch->offset);
        text += written;
        text += checked ? "bra checked;\n" : "cold:\n";
        const bool known = checked && !draft_.keeps_cursor;  // the check has identified the warp
        text += take(b, checked ? "%entered" : captured_clock(b), known);
        return text;
    }

    /// The block leaves a record only when other lanes are on than in the block it follows.
    void check(FunctionDraft& function, BasicBlockId b) {
        std::string text = fmt::format(
            ".reg .b32 %mask, %entered; .reg .pred %differs;\n"
            "activemask.b32 %mask;\n"
            "setp.ne.u32 %differs, %mask, {};\n"
            "{}@%differs bra.uni enter;\n"
            "checked:\ncold:\nenter:\nmov.u32 %entered, %clock;\n",
            draft_.whole[draft_.plan.blocks[b].follows] ? whole_mask(draft_)
                                                        : captured_mask(draft_.plan.blocks[b].follows),
            // Lanes that are in a function by different calls can meet: then some may have captured this mask
            // and others not.
            draft_.functions.size() > 1 ? "vote.sync.any.pred %differs, %differs, %mask;\n" : "");
        if (!draft_.keeps_cursor)
            text += fmt::format(
                ".reg .b32 %lt;\n{}{}{}mov.u32 %lt, %lanemask_lt;\n@!%selected mov.u32 %lt, -1;\n",
                identify_warp(draft_.options), identify_block(draft_.options), find_slab(draft_.options));
        std::string all = visit(function, b, text);
        if (!draft_.keeps_cursor) all += filter_block(draft_.options);
        draft_.put(function, draft_.begin_of(b), all);
    }

    Draft& draft_;
};

}  // namespace

Status record_blocks(Draft& draft) {
    Recorder recorder(draft);
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) recorder.declare(b);
    for (BasicBlockId b = 0; b < draft.plan.blocks.size(); ++b) recorder.record(b);
    return draft.status();
}

}  // namespace warplens::instrumentation
