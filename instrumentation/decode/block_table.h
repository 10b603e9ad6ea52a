// BlockTable: what decoding needs to know of each basic block, from the plan and the program, put together
// once a launch and checked, so that nothing has to be looked up or doubted again for each record.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "core/result.h"
#include "instrumentation/rewrite/recording_plan.h"

namespace warplens::instrumentation {

/// A site of a block that leaves events.
struct SiteRow {
    SiteId site = 0;
    bool memory = false;
    bool guarded = false;                // and not the block's last control instruction, which is in BlockRow
    std::uint32_t ballot = no_index;     // bytes from the record, of the guard
    std::uint32_t predicate = no_index;  // slot of the guard, if it is replayed
    bool negated = false;                // of that guard
    std::uint32_t address = no_index;    // index into RecordingPlan::addresses
    std::uint32_t address2 = no_index;   // cp.async: address is the shared one, this the global one
};

struct BlockRow {
    /// How lanes leave the block.
    enum class End : std::uint8_t { falls, jumps, branches, jumps_by_table, exits, leaves_function, calls };

    BlockPlan::Source source = BlockPlan::Source::recorded;
    End end = End::falls;
    bool guarded = false;       // the last site, and it is not a direct branch
    bool barrier = false;       // the last site is a block-wide barrier
    bool arrives_only = false;  // and lanes do not wait there
    bool only_arrives_at_cluster =
        false;                      // barrier.cluster.arrive, of which the engine reports the wait alone
    bool arrival = false;           // VisitUnit::extra is the clock on arrival
    bool clock_of_arrival = false;  // as in BlockPlan
    std::uint32_t units = 1;
    KeptRecord kept;  // as in BlockPlan
    // What a record of the block writes: 16 and its ballots, and for each active lane its values.
    std::uint32_t record_bytes = 0, lane_bytes = 0;
    std::uint32_t lane_words = 0;  // BlockPlan::lane_words
    std::uint32_t follows = no_index;
    std::uint32_t target = no_index;
    std::uint32_t predicate = no_index;  // slot of the branch that ends the block, if it is replayed
    bool negated = false;                // of that branch
    bool hashes_branch = false;          // as in BlockPlan
    bool lanes_leave = false, lanes_leave_first = false;  // as in BlockPlan
    std::uint32_t ballot = no_index;  // bytes from the record: of the last site, when it ends the block
    BlockPlan::Carries carries = BlockPlan::Carries::none;
    std::uint32_t tally = 0;                                                // BlockPlan::tally
    bool logs_branch = false, counts_passes = false, hashes_lanes = false;  // as in BlockPlan
    bool hashes_last_pass = false, precedes_loop = false;                   // likewise
    bool logs_left = false;                                                 // likewise
    bool stays_by_jump = false;                      // counts_passes: lanes that jump stay in the loop
    bool begins_counted = false;                     // `passed`: a later record counts how often
    std::uint32_t routes_begin = 0, routes_end = 0;  // into BlockTable::routes
    bool lanes_meet = false, gives_way = false, keeps_apart = false;  // as in BlockPlan
    std::uint32_t ahead_begin = 0, ahead_end = 0;  // into BlockTable::ahead: BlockPlan::goes_ahead_of
    std::uint32_t anchor = no_index;  // blocks are `checked` against this one: its number among such
    SiteId last_site = 0;
    std::uint32_t sites_begin = 0, sites_end = 0;  // into BlockTable::sites
    std::uint32_t steps_begin = 0;                 // into RecordingPlan::replay
};

struct BlockTable {
    std::vector<BlockRow> blocks;
    std::vector<SiteRow> sites;
    std::vector<BlockPlan::Route> routes;
    std::vector<BasicBlockId> ahead;
    std::uint32_t tallies = 0, log_words = 0;
    bool hashes_lanes = false, gives_way = false, keeps_apart = false;  // some block
    // As in RecordingPlan:
    std::uint32_t lane_bytes = 0, tally_bits = 0, pass_bits = 0;
    bool warp_hash = false;
    std::uint32_t tally_unit = 0;  // of a warp's first chunk: RecordingPlan::tally_offset
    bool has_lane_words() const { return tallies + log_words > 0 || hashes_lanes; }
    bool replays = false;           // some branch is
    bool passes = false;            // some block is `passed`
    bool derives_openings = false;  // some record has a clock_of_arrival
    std::uint32_t anchors = 0;
    std::uint32_t lane_units = 0;    // RecordingPlan::lane_units
    std::uint32_t value_words = 0;   // RecordingPlan::value_words
    std::uint32_t value_unit = 0;    // of a warp's first chunk: RecordingPlan::values_offset
    std::uint32_t kept_words = 0;    // RecordingPlan::kept_words
    std::uint32_t first_record = 2;  // unit of a warp's first chunk where records begin

    /// Errors when plan and program are not of the same kernel, or a record's parts lie outside of it.
    static Result<BlockTable> make(const RecordingPlan& plan, const Program& program);
};

}  // namespace warplens::instrumentation
