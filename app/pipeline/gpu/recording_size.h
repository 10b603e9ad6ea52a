// RecordingSize: how large a recording space is asked for, and in which chunks. Each recorded warp has a
// first chunk of its own, which is read back as a whole: short warps get small ones. The best estimate of
// what a kernel will write is what it wrote before.
#pragma once

#include <cstdint>
#include <optional>

#include "instrumentation/decode/decode.h"
#include "instrumentation/device/gpu_recorder.h"
#include "instrumentation/rewrite/recording_plan.h"

namespace warplens::app {

struct RecordingSize {
    std::uint32_t chunk_units = 64;  // a power of two
    std::uint64_t space_bytes = 0;
};

/// What the warps of a launch wrote beside their lanes' areas, which the plan gives.
struct UnitsAWarp {
    double mean = 0, most = 0;
};

/// Units of a warp's first chunk for what its lanes leave outside of records: tallies, logs and values.
double lane_area_units(const instrumentation::RecordingPlan& plan);

/// Units that a warp writes when each recorded basic block is visited once; loops visit theirs more often.
double least_units_a_warp(const instrumentation::RecordingPlan& plan);

/// `seen`: what was seen of this kernel; without it the plan is asked. `warps`: recorded.
/// `in_first_chunks`: all of a warp's records must be in its first one (InstrumentOptions::predict_whole).
RecordingSize recording_size(const instrumentation::RecordingPlan& plan, std::uint64_t warps,
                             std::optional<UnitsAWarp> seen, std::uint64_t most_bytes,
                             bool in_first_chunks = false);

/// As in InstrumentOptions.
struct LaneRoom {
    std::uint32_t log_words = 0, log_bits = 0, tally_bits = 0, pass_bits = 0, lane_units = 0, value_words = 0;
    std::uint32_t lane_units_with_values =
        0;  // of records that hold their values: lane_units without columns
};

/// What the lanes of a launch need that do the same; no log_words if such logs would take more than
/// `most_bytes` in all. `warps`: recorded.
LaneRoom lane_room(const instrumentation::RecordingPlan& plan, const Program& program,
                   const instrumentation::Decoded& decoded, std::uint64_t warps, std::uint64_t most_bytes);

/// `times` the room for parts and columns, as far as these may take so much.
LaneRoom with_more_parts(LaneRoom room, std::uint32_t times, std::uint64_t warps, std::uint64_t most_bytes);

bool calls_functions(const Program& program);

/// Adds the bounds checks (BlockPlan::checks_bounds) at which some warp parted to those that are known.
/// Ascending.
void add_parting_checks(const instrumentation::RecordingPlan& plan, const instrumentation::Decoded& decoded,
                        std::vector<BasicBlockId>& known);

/// Units of each lane's part of its warp's slab (InstrumentOptions::lane_units) in a launch of which nothing
/// was seen yet. 0: parts as large as a first record may need would be too much, or the kernel calls no
/// function: what is seen first decides. Where lanes take chunks in a loop, the assembler lets them go on
/// apart behind it (decision 19), which walks through functions cannot follow.
std::uint32_t lane_units_unseen(const Program& program, std::uint64_t warps, std::uint64_t most_bytes);

/// Whether more than a few warps outgrew their first chunk: the atomics that taking others costs are then in
/// the recorded time.
bool takes_many_chunks(const instrumentation::GpuVariantResult& result);

}  // namespace warplens::app
