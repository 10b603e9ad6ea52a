// Schedule: WHEN the warps of a Trace issued and waited, cycle by cycle, on one SM in full detail. Modelled
// (simt/timing) for every Trace; immutable, read by analysis/ and the timeline. Cycles count from the arrival
// of the SM's first block; an SM cycle, not a nanosecond.
//
// Every warp's spans are back to back from its arrival to its departure, so each resident warp and cycle has
// exactly one state; a scheduler's cycle issues for at most one of its warps.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/provenance.h"
#include "core/sm_timing.h"
#include "core/timing_options.h"
#include "core/warp_state.h"

namespace warplens::trace {

/// From `begin` up to the next span of the same warp (or its departure) the warp was in one state, about to
/// issue (or issuing) one instruction. 16 bytes.
struct StateSpan {
    std::uint32_t begin = 0;   // cycle
    std::uint32_t packed = 0;  // site in the low 24 bits, state above
    std::uint32_t step = 0;    // of the warp (trace::Step::index): the instruction to issue
    /// The earlier step of the same warp whose result or effect is waited for (a load, a branch, a barrier's
    /// own step); no_index if it is not from the same warp.
    std::uint32_t cause = no_index;

    SiteId site() const { return packed & 0xffffffu; }
    WarpState state() const { return static_cast<WarpState>(packed >> 24); }
    static constexpr std::uint32_t pack(SiteId site, WarpState state) {
        return (site & 0xffffffu) | (static_cast<std::uint32_t>(state) << 24);
    }
    friend bool operator==(const StateSpan&, const StateSpan&) = default;
};
static_assert(sizeof(StateSpan) == 16);

struct ScheduledWarp {
    std::uint32_t warp_record = 0;  // index into Trace::warps
    std::uint32_t block = 0;        // index into Schedule::blocks
    std::uint16_t scheduler = 0;
    std::uint16_t slot = 0;                        // of the scheduler; at most one warp per slot in any cycle
    std::uint32_t arrival = 0, departure = 0;      // cycles, half-open
    std::uint64_t spans_begin = 0, spans_end = 0;  // into Schedule::spans
    std::uint64_t flights_begin = 0, flights_end = 0;  // into Schedule::flights
    std::uint64_t issues_begin = 0, issues_end = 0;    // into Schedule::issues
    friend bool operator==(const ScheduledWarp&, const ScheduledWarp&) = default;
};

struct ScheduledBlock {
    std::uint64_t block = 0;  // linear index in the grid
    std::uint32_t arrival = 0, departure = 0;
    std::uint32_t first_warp = 0, warp_count = 0;  // into Schedule::warps
    friend bool operator==(const ScheduledBlock&, const ScheduledBlock&) = default;
};

enum class ServedBy : std::uint8_t { shared, l1, l2, dram, constant };

/// A request from its issue to the return of its last data (loads, atomics with a result) or to the moment it
/// leaves the SM (stores). 16 bytes.
struct Flight {
    std::uint32_t step = 0;                  // of the warp
    std::uint32_t packed = 0;                // site in the low 24 bits, ServedBy (the slowest part's) above
    std::uint32_t issued = 0, returned = 0;  // cycles

    SiteId site() const { return packed & 0xffffffu; }
    ServedBy served_by() const { return static_cast<ServedBy>(packed >> 24); }
    static constexpr std::uint32_t pack(SiteId site, ServedBy by) {
        return (site & 0xffffffu) | (static_cast<std::uint32_t>(by) << 24);
    }
    friend bool operator==(const Flight&, const Flight&) = default;
};
static_assert(sizeof(Flight) == 16);

/// One issued instruction and the unit that takes it: the PTX level has several for one step. 16 bytes.
struct Issue {
    std::uint32_t cycle = 0;
    std::uint32_t packed = 0;  // site in the low 24 bits, Pipe above: of two halves of a pipe, the one taken
    /// The first cycle in which the pipe takes another instruction; of Pipe::mio and Pipe::lsu: in which the
    /// instruction has left the scheduler's queue.
    std::uint32_t free = 0;
    std::uint32_t ready = 0;  // the first cycle in which its result may be used

    SiteId site() const { return packed & 0xffffffu; }
    Pipe pipe() const { return static_cast<Pipe>(packed >> 24); }
    static constexpr std::uint32_t pack(SiteId site, Pipe pipe) {
        return (site & 0xffffffu) | (static_cast<std::uint32_t>(pipe) << 24);
    }
    friend bool operator==(const Issue&, const Issue&) = default;
};
static_assert(sizeof(Issue) == 16);

/// What a machine instruction does with its warp's scoreboards.
struct SiteScoreboards {
    std::uint8_t write = 0xff;  // counts until its results are written; scoreboard_count or more: none
    std::uint8_t read = 0xff;   // counts until its sources are read; likewise
    std::uint8_t waits = 0;     // bit i: it waits for scoreboard i
    friend bool operator==(const SiteScoreboards&, const SiteScoreboards&) = default;
};

/// All expected warps of a block have arrived; they continue.
struct BarrierRelease {
    std::uint32_t cycle = 0;
    std::uint32_t block = 0;  // index into Schedule::blocks
    SiteId site = 0;
    friend bool operator==(const BarrierRelease&, const BarrierRelease&) = default;
};

/// Sums over the cycles of the SM that were modelled in detail.
struct ScheduleTotals {
    std::uint64_t cycles = 0;           // from the first arrival to the last departure
    std::uint64_t issue_slots = 0;      // cycles * schedulers
    std::uint64_t issued = 0;           // slots with an issue: modelled machine instructions
    std::uint64_t warp_cycles = 0;      // resident warps summed over cycles == sum of states
    std::uint64_t eligible_cycles = 0;  // selected + not_selected warps, summed over cycles
    ByWarpState<std::uint64_t> states;  // warp-cycles in each state
    // Loads of global and local memory of which the SM had accessed every piece of 64 bytes before, and their
    // cycles from issue to data.
    std::uint64_t repeated_loads = 0, repeated_load_cycles = 0;
    friend bool operator==(const ScheduleTotals&, const ScheduleTotals&) = default;
};

/// From one SM to the whole launch.
struct LaunchTime {
    double cycles = 0;            // the whole launch, as the profiler's cycles_elapsed_max counts it
    double overhead_cycles = 0;   // of these, before the first block starts and after the last has ended
    double sm_cycles = 0;         // the busiest SM's, from its first block to its last
    double drain_cycles = 0;      // from then until the last SM's blocks are retired and all atomics complete
    bool drains_atomics = false;  // atomics are the last to complete
    double memory_cycles = 0;     // time to move the launch's bytes at full DRAM bandwidth
    double atomic_cycles = 0;     // for which atomics occupy the busiest place of L2 or the SM
    std::uint64_t blocks_on_sm = 0;     // blocks the modelled SM runs in the whole launch
    std::uint64_t blocks_modelled = 0;  // of these, modelled in detail; the rest continue at the same rate
    double dram_bytes = 0;              // of the whole launch, read and written
    double l2_bytes = 0;                // between the SMs and L2
    friend bool operator==(const LaunchTime&, const LaunchTime&) = default;
};

struct Schedule {
    std::string gpu;  // GpuSpec name
    TimingOptions options;
    Provenance provenance = Provenance::modelled;
    bool measured_latencies = false;  // false: those of another generation are used, and `notes` names it
    std::vector<std::string> notes;   // sentences: what is assumed or left out for this launch
    int schedulers = 4;
    int slots_per_scheduler = 0;  // warp slots in use
    int resident_blocks = 0;      // maximum at the same time
    std::uint32_t l1_bytes =
        0;                   // what the shared memory of the blocks that fit leaves to L1; 0: not modelled
    int blocks_at_once = 0;  // resident on the SM in the whole launch; more if the Trace has fewer
    ScheduleTotals totals;
    std::vector<ByWarpState<std::uint64_t>>
        site_states;  // warp-cycles by site: about to issue it, or issuing
    LaunchTime launch;
    std::vector<ScheduledBlock> blocks;             // by arrival
    std::vector<ScheduledWarp> warps;               // by block, then warp
    std::vector<StateSpan> spans;                   // by warp; empty if only totals were requested
    std::vector<Flight> flights;                    // by warp, then issue
    std::vector<BarrierRelease> barriers;           // by cycle
    std::vector<Issue> issues;                      // by warp, then cycle; empty: not recorded
    std::vector<SiteScoreboards> site_scoreboards;  // by site, at the machine level; else empty
};

inline std::span<const StateSpan> spans_of(const Schedule& schedule, const ScheduledWarp& warp) {
    return {schedule.spans.data() + warp.spans_begin, schedule.spans.data() + warp.spans_end};
}
inline std::span<const Flight> flights_of(const Schedule& schedule, const ScheduledWarp& warp) {
    return {schedule.flights.data() + warp.flights_begin, schedule.flights.data() + warp.flights_end};
}
inline std::span<const Issue> issues_of(const Schedule& schedule, const ScheduledWarp& warp) {
    return {schedule.issues.data() + warp.issues_begin, schedule.issues.data() + warp.issues_end};
}
/// The span that contains `cycle`; nullptr if the warp was not resident then. Binary search.
const StateSpan* span_at(const Schedule& schedule, const ScheduledWarp& warp, std::uint32_t cycle);
/// One past the last cycle of a span of `warp`.
std::uint32_t end_of(const Schedule& schedule, const ScheduledWarp& warp, const StateSpan& span);

/// The first violated invariant of a Schedule ("warp 3's spans overlap at cycle 17"); empty if there is none.
std::string check(const Schedule& schedule);

}  // namespace warplens::trace
