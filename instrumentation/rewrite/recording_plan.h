// RecordingPlan: what an instrumented kernel writes, basic block by basic block, so that the host can read it
// again. Made by the rewrite passes with the PTX; whatever it leaves out follows from the program.
//
// An address is recorded once for each value of its base register, not once an access: [%rd4] and [%rd4+64]
// share one value, and a base that a loop does not change is recorded where it is computed, before the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "instrumentation/rewrite/replay_steps.h"

namespace warplens::instrumentation {

enum class RecordMode : std::uint8_t { light, full, proof };

/// One value that every active lane records: 4 bytes per lane (8 for `wide`), lane i at offset + i * stride.
struct RecordedValue {
    std::uint32_t value = 0;   // index into RecordingPlan::values
    std::uint32_t offset = 0;  // bytes from the visit's first unit
    std::uint32_t stride = 4;  // bytes from lane to lane: 2, 4, 8 or 16
    std::uint32_t bytes = 4;   // 2: the low half of a shared address; 4; 8
};

/// A ballot: one 32-bit word, the lanes that executed a guarded instruction; of a conditional branch, that
/// jumped. Where each lane goes next shows it as well, so that branches, exits, returns and calls need none,
/// but for calls of functions that are not in the module, branches to the very next block, and where a block
/// after is `balloted`.
struct RecordedGuard {
    SiteId site = 0;           // the guarded instruction
    std::uint32_t offset = 0;  // bytes from the visit's first unit: 12 is VisitUnit::extra; of a `whole`
                               // block, which has none, from the WarpHead: 12 is WarpHead::exit_mask.
                               // Of one that is `passed`: see BlockPlan::Carries
};

/// Of a `recorded` block with RecordingPlan::kept_words: which of them are the words of its VisitUnit, and
/// the ballot behind it. no_index: the record has none.
struct KeptRecord {
    std::uint32_t active = no_index, clock = no_index, extra = no_index, ballot = no_index;
};

struct BlockPlan {
    /// How the host learns that lanes visited the block.
    enum class Source : std::uint8_t {
        recorded,  // the visit leaves a VisitUnit
        implied,   // by nothing: the lanes that visited `follows` go on into this block, all and at once
        balloted,  // by nothing: likewise, those that the branch of `follows` sends here, which it balloted
        checked,   // lanes that visited `follows` together meet here, whatever they did since: nothing when
                   // they come together, all of them and no other, else a VisitUnit
        whole,     // by nothing: the entry, which all lanes of a warp visit together
        passed,    // by nothing: all lanes of the warp together, on the one way that leads to the next record
        tallied,   // by RecordingPlan::tallies: a loop of one block, which each lane enters once at most
        logged,    // by RecordingPlan::log_words: the lanes that the branches before send here
    };
    enum class Extra : std::uint8_t { none, arrival_clock };  // of VisitUnit::extra
    /// Of a record of a whole warp, VisitUnit::active is instead:
    enum class Carries : std::uint8_t {
        none,
        ballot,  // of the branch of `carrier`, if the warp passed it on its way here: the lanes that jumped
        own_ballot,  // of the block's own branch
        count,       // how often the warp passed `carrier`, which begins a loop, since the record before
    };

    Source source = Source::recorded;
    BasicBlockId follows = no_index;  // see Source; the only block that leads here, but for `checked`
    BasicBlockId target = no_index;   // ptx::NumberedProgram::branch_targets
    /// Where a branch that sends a whole warp one way leads: the next record shows which.
    struct Route {
        BasicBlockId record = no_index;  // the block that leaves the next record; no_index: the warp ends
        bool looped = false;             // by way of the loop whose passes that record counts
        bool jumps = false;              // the warp takes the branch
    };

    Extra extra = Extra::none;
    /// Of a record behind a barrier of the whole block: its clock is that of the arrival there. When the
    /// barrier opened follows from the arrivals of all warps of the block
    /// (instrumentation/decode/open_barriers.h).
    bool clock_of_arrival = false;
    Carries carries = Carries::none;
    bool logs_branch = false;  // each lane logs whether it jumps, and there is no ballot
    /// Where no branch of a loop but the block's own would be logged, and one side of that leaves the loop:
    /// its blocks. `logs_left`: lanes leave it elsewhere as well.
    std::vector<BasicBlockId> counted_loop;
    bool logs_left = false;
    bool counts_passes = false;  // of one that logs_branch, with counted_loop: see RecordingPlan::pass_bits
    bool hashes_lanes = false;   // of a `logged` one: several blocks lead to it; see log_words
    bool hashes_last_pass = false;  // of one that hashes_lanes, or a `tallied` one: begins a loop in which
                                    // lanes do not meet again, see RecordingPlan::log_words
    bool precedes_loop = false;     // leads into such a loop
    /// Of a `logged` one to which lanes come that leave a loop, and which others of the loop do not have to
    /// come to: blocks of the loop. Whether lanes that come here wait for those is the assembler's choice,
    /// which the hash of lanes shows.
    std::vector<BasicBlockId> goes_ahead_of;
    /// Of a `logged` one at which the ways of no branch end, as behind the left side of `||`: the assembler
    /// has lanes meet nowhere else, so that those that come there apart may go on apart.
    bool keeps_apart = false;
    /// Of a `logged` one: all lanes that have not left wait for each other there (lanes_meet.h).
    bool lanes_meet = false;
    /// Of a `logged` one: begins a loop in which lanes give way to others of their warp (giving_way.h).
    bool gives_way = false;
    std::uint32_t tally = 0;          // of a `tallied` one: its place among them
    BasicBlockId carrier = no_index;  // a block that is `passed`; see Carries
    std::uint32_t units = 1;          // of the whole record
    std::uint32_t value_units = 0;    // of these: values that columns would take, if there were any
    KeptRecord kept;
    std::vector<RecordedValue> values;
    /// Values that are in no record: each active lane appends them to its column of words
    /// (RecordingPlan::value_words). Offsets are bytes from the visit's first word there; no stride.
    std::vector<RecordedValue> lane_values;
    std::vector<RecordedGuard> guards;
    std::vector<ReplayedGuard> replayed_guards;
    /// Ends in a bounds check, "if (i >= n) return", at which no warp that comes there whole is expected to
    /// part.
    bool checks_bounds = false;
    /// Likewise, and whoever leaves there leaves at once (leave_at_once.h).
    bool leaves_at_once = false;
    /// Of one that leaves_at_once, whose branch is replayed: lanes that leave without the others are not
    /// missed. Behind it those who stay are a whole warp: where a mask says that all lanes are there, these
    /// have left. Neither the hash of lanes nor that of addresses has anything of them.
    bool lanes_leave = false;
    /// Likewise, and they are seen at the way out without the others, who may come to a barrier or an
    /// exchange before. Else the others meet them there.
    bool lanes_leave_first = false;
    /// Of the branch that ends the block: who jumps is replayed, and neither balloted nor logged.
    std::optional<ReplayedGuard> replayed_branch;
    /// Of a replayed branch that follows from loads: whether each lane jumps goes into its hash of lanes
    /// (branch_step), so that the host sees if the loads brought something else.
    bool hashes_branch = false;
    std::vector<Route> routes;  // only where some block is `passed`

    /// Words of each active lane that a visit appends to its column.
    std::uint32_t lane_words() const {
        std::uint32_t bytes = 0;
        for (const RecordedValue& value : lane_values) bytes = std::max(bytes, value.offset + value.bytes);
        return (bytes + 3) / 4;
    }
};

/// Where the addresses of one memory site come from: address = value of `value` (or of `slot`, or of
/// `symbol`) + offset.
struct AddressPlan {
    SiteId site = 0;
    std::uint32_t value = no_index;   // index into RecordingPlan::values
    std::uint32_t symbol = no_index;  // index into RecordingPlan::symbols; neither: offset is the address
    std::int64_t offset = 0;
    bool wide = true;  // 64-bit address arithmetic; else it wraps at 32 bits
    /// Which of the site's addresses: 0, or 1 for the second one of an instruction that has two (cp.async's
    /// global source; its shared destination is 0).
    std::uint32_t which = 0;
    /// The hash takes this address when the site executes, without `offset`. Others of the block follow from
    /// it. In full mode it is one that is replayed.
    bool hashed = false;
    /// The value comes from mapa: what a generic address in a shared window names is the cluster's, also
    /// where it is the block's own.
    bool of_cluster = false;
    std::uint32_t slot = no_index;  // of RecordingPlan::replay: nothing is recorded
    /// Of a hashed one that follows from the launch, in a loop: not when the site executes. When a lane comes
    /// to this block, behind the loop, the hash takes the last address that it accessed there, or 0.
    BasicBlockId hashed_in = no_index;
    /// The hash takes the lower half of 64 bits: shared and local memory are no larger.
    bool hashes_half = false;
};

struct RecordingPlan {
    RecordMode mode = RecordMode::light;
    bool narrow = false;  // 64-bit values were recorded as their lower halves
    std::uint32_t min_chunk_units = 4;
    bool bounded = false;                // no warp writes more: no record is in a loop
    bool fixed_chunks = false;           // chunks have min_chunk_units, neither more nor fewer
    std::uint32_t values = 0;            // how many different base values there are
    std::vector<std::string> symbols;    // variables whose address the head gives, in its order
    std::vector<BlockPlan> blocks;       // by BasicBlockId
    std::vector<AddressPlan> addresses;  // by site, then `which`; empty in light mode
    std::uint32_t predicted = 0;         // blocks that predict_whole records or checks without a branch,
                                         // tallies or logs
    /// Loops of one block of which every lane leaves, when it exits, how often it ran them: lanes that enter
    /// such a loop together stay together while they are in it. From byte tally_offset of a warp's first
    /// chunk on there are 1 + tallies words for each lane, word w of lane i at 128 * w + 4 * i: a
    /// tally_step() over the active lanes of each pass through any of them, and the passes through each. See
    /// warp_hash and lane_bytes for shorter forms.
    std::uint32_t tallies = 0;
    std::uint32_t tally_offset = 0;  // 0 without has_lane_words()
    /// Words of each lane's log, behind its tallies and laid out like them: in the order of the lane's
    /// execution one bit for each BlockPlan::logs_branch, 1 if it jumped. The highest bit that is set in a
    /// word only says where its bits begin; a word that is 0 was not written. The same hash takes the active
    /// lanes of each visit of a block that hashes_lanes.
    /// It takes them late: the lanes of one visit when the next one begins, or the warp ends. Where a loop
    /// hashes_last_pass, those of a pass only replace those of the pass before, and the hash takes what is
    /// there when a lane leaves a block that precedes_loop: lanes that are together in the last pass of one
    /// of them were together in each pass before.
    std::uint32_t log_words = 0;
    /// A branch that counts_passes has no bit for each visit in the log: a lane that has left the loop logs
    /// how often it was at the branch since it came to the loop, in this many bits, the highest first, and
    /// where it logs_left a bit, 1 if the last of these visits was the one by which it left.
    std::uint32_t pass_bits = 0;
    bool hashes_lanes = false;  // some block does; also where no lane has a log, since all branches are
                                // replayed
    /// Instead of one hash per lane, the first word is tally_sum() over the warp, and the lanes' words begin
    /// one unit later.
    bool warp_hash = false;
    /// That word is WarpHead::exit_mask, which would say that all lanes of a whole warp leave: there is no
    /// unit for it.
    bool hash_in_head = false;
    /// Not 0: in place of rows of words each lane leaves one number of 1, 2 or 4 bytes, side by side: from
    /// the lowest bit on its passes, tally_bits for each loop, and above them its log, of one word.
    std::uint32_t lane_bytes = 0;
    std::uint32_t tally_bits = 0;
    /// Of rows of words: so many tallies lie side by side in each, the first one lowest, every one with a bit
    /// more than tally_bits, which says that it has passed its bits.
    std::uint32_t tallies_in_word = 1;
    std::uint32_t tally_rows() const { return (tallies + tallies_in_word - 1) / tallies_in_word; }
    /// Lanes store their logs word by word as they go.
    bool stores_log_words() const { return log_words > 0 && lane_bytes == 0; }
    bool has_lane_words() const { return tallies + log_words > 0 || hashes_lanes; }
    /// Bytes from tally_offset to the first lane's tallies.
    std::uint32_t hash_bytes() const { return hash_in_head ? 0 : warp_hash ? 16 : 128; }
    /// Bytes from tally_offset on that tallies and logs take in all.
    std::uint32_t lane_area() const {
        if (!has_lane_words()) return 0;
        return hash_bytes() + (lane_bytes > 0 ? 32 * lane_bytes : 128 * (tally_rows() + log_words));
    }
    /// Full mode: words of each lane's column of values, BlockPlan::lane_values in the order of the lane's
    /// execution, from byte values_offset of a warp's first chunk on: word w of lane i at 128 * w + 4 * i.
    /// Behind the parts that lanes have (lane_units), or before the records. What has no room sets
    /// SpaceHead::slabs_full.
    std::uint32_t value_words = 0;
    std::uint32_t values_offset = 0;
    std::uint32_t value_area() const { return 128 * value_words; }
    /// Not 0: a power of two. The records that lane i leads lie in units i * lane_units to (i + 1) *
    /// lane_units of the warp's first chunk, from its second unit on, and for lane 0 from where records
    /// begin. No lane takes a chunk; what has no room sets SpaceHead::slabs_full.
    std::uint32_t lane_units = 0;
    /// Not 0: records are not written one by one. The warp's lanes keep their words in registers, lane i
    /// words i, i + 32, …, and store them with the head when the warp ends: this many words from the
    /// beginning of its first chunk on, of which the first eight are the WarpHead. A record whose clock is
    /// the head's start_clock was not made.
    std::uint32_t kept_words = 0;
    /// What follows from the launch, by site. See replay_steps.h.
    std::vector<ReplayStep> replay;
    bool leaves_at_once() const { return std::ranges::any_of(blocks, &BlockPlan::leaves_at_once); }
    bool lanes_leave() const { return std::ranges::any_of(blocks, &BlockPlan::lanes_leave); }
    /// Some of it was loaded from memory.
    bool replays_loads() const {
        return std::ranges::any_of(replay, [](const ReplayStep& step) { return step.op == ReplayOp::load; });
    }
    std::uint32_t replay_slots = 0;
    /// WarpHead::block holds a hash of the addresses with AddressPlan::hashed: address_sum() over the warp's
    /// lanes. Needs slabs.
    bool hashes_addresses = false;
};

/// What the hash takes of an address: the value that its offset is added to.
constexpr std::uint64_t hashed_base(const AddressPlan& plan, std::uint64_t address) {
    const std::uint64_t base = address - static_cast<std::uint64_t>(plan.offset);
    return plan.wide && !plan.hashes_half ? base : base & 0xffffffffu;
}

/// The hash of addresses, lane by lane, in execution order over those with AddressPlan::hashed: it takes
/// hashed_base(), whose upper half is 0 where the address has 32 bits. Starts at 0.
constexpr std::uint32_t hash_step(std::uint32_t hash, std::uint64_t base) {
    return (hash + static_cast<std::uint32_t>(base >> 32)) * 0x9E3779B1u + static_cast<std::uint32_t>(base);
}

/// Starts at 0, as hash_step() does.
constexpr std::uint32_t tally_step(std::uint32_t hash, std::uint32_t active) {
    return hash * 0x9E3779B1u + active;
}

/// What the same hash takes of a branch with BlockPlan::hashes_branch: not 0 either way. In two instructions,
/// the second one under the branch's predicate, and no register but the hash.
inline constexpr std::uint32_t branch_factor = 0x9E3779B1u, branch_addend = 0x85EBCA77u;
constexpr std::uint32_t branch_step(std::uint32_t hash, bool jumps) {
    return (hash + branch_addend) * (jumps ? branch_factor : 1);
}

/// What a lane adds to a sum over its warp; 0 for a lane whose hash is 0.
constexpr std::uint32_t tally_sum(std::uint32_t hash) {
    hash *= 0x85EBCA77u;
    return hash ^ (hash >> 15);
}

/// Likewise, of the hash of its addresses: lanes that change places do not add up alike.
constexpr std::uint32_t address_sum(std::uint32_t hash, std::uint32_t lane) {
    hash = hash * 0x85EBCA77u + lane * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

}  // namespace warplens::instrumentation
