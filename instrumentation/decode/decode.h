// Reads a recording space after the launch: reports to an Observer what the GPU's warps did, as the CPU
// engine would have, and gives the times. Nothing in the space is trusted: a kernel that writes out of bounds
// may have written there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/program.h"
#include "core/result.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "instrumentation/rewrite/recording_space.h"
#include "trace/measured.h"
#include "trace/observer.h"

namespace warplens::instrumentation {

/// What stood in a part of the device's memory before the launch.
struct DeviceMemory {
    std::uint64_t address = 0;
    std::span<const std::byte> bytes;
};

/// What was read back: the chunks 0 … up to the last that was written.
struct ReadBack {
    std::span<const std::byte> bytes;
    SpaceParameter parameter;                 // as the kernel had it
    std::vector<std::uint64_t> blocks;        // the recorded blocks, ascending; empty: the whole grid
    std::vector<std::uint64_t> symbol_bases;  // empty, or the addresses to report each plan symbol's accesses
                                              // from, as the CPU engine lays them out (Program::variables)
    std::vector<std::byte> arguments;  // of the launch, as the kernel had them: needed where something is
                                       // replayed (RecordingPlan::replay)
    std::vector<DeviceMemory> memory;  // the launch's buffers: needed for RecordingPlan::replays_loads
    int threads = 0;  // to decode with; 0: as many as the machine has, where there is enough to do
};

/// Of ReadBack::symbol_bases: the addresses of that symbol are reported as the device had them.
inline constexpr std::uint64_t as_on_device = ~std::uint64_t{0};

struct DeviceVariable {
    std::string name;  // as in the PTX
    std::uint64_t address = 0;
};

struct Decoded {
    std::vector<trace::MeasuredWarp> warps;
    std::vector<trace::MeasuredVisit> visits;
    std::vector<trace::MeasuredSm> sms;
    double clock_hz = 0;            // as the timers and clocks of the launch say; 0: too short to measure
    double timer_bound_ns = 0;      // the timer's step, as far as the launch shows it
    bool openings_derived = false;  // trace::Measured::openings_derived
    std::uint64_t records = 0;
    /// What the warps wrote of the space, without the room that chunks leave unused: heads, records, ballots,
    /// addresses of active lanes, hashes. Of whole blocks.
    std::uint64_t written_bytes = 0;
    std::uint64_t dropped_records = 0;
    std::uint64_t enough_bytes = 0;  // 0 when nothing was dropped
    bool outside_narrow = false;     // record again without `narrow`
    bool warps_apart = false;     // record again without `predict_whole`: SpaceHead::warps_apart, or tallies
    bool slabs_full = false;      // likewise, or with larger slabs: SpaceHead::slabs_full
    bool replay_differs = false;  // full: the addresses that were replayed for the observer are not those of
                                  // the GPU: record again without `replay_loads`, then without `replay`
    std::vector<std::uint32_t> hashes;  // proof: RecordingPlan::hashes_addresses, one per warp, as `warps`
    // Linear blocks that are left out, ascending: those that lost records for want of room, and those with a
    // record that is invalid or a warp that never began or ended.
    std::vector<std::uint64_t> incomplete, damaged;
    std::vector<DeviceVariable> variables;  // full: where the module's variables in global memory were
    std::string first_damage;  // why the first of `damaged` is: "block 3, warp 1: …"; empty when none is
    std::size_t left_out() const { return incomplete.size() + damaged.size(); }
};

/// ReadBack::symbol_bases as the CPU engine lays the plan's variables out: shared and constant ones as
/// Program::variables says, a function's local ones from the beginning of local memory; global ones stay
/// where the device had them.
std::vector<std::uint64_t> engine_symbol_bases(const RecordingPlan& plan, const Program& program);

/// Events and results are the same for any number of threads. Reports to `observer` every recorded block that
/// is whole, ascending: visits, guards, branches, barriers and, in full mode, accesses: global addresses as
/// the GPU had them, shared and local ones from the start of their memory. `observer` may be null. Errors are
/// of the space as a whole, an invalid head.
Result<Decoded> decode(const RecordingPlan& plan, const Program& program, const LaunchGeometry& geometry,
                       const ReadBack& read, trace::Observer* observer);

}  // namespace warplens::instrumentation
