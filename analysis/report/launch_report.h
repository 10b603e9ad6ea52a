// LaunchReport: what `warplens report` prints and the window shows, folded from a launch's events. The fold
// is a trace::Observer, so it works with the engine's events (without keeping a trace) and with a stored
// Trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/memory/footprint.h"
#include "analysis/report/roofline.h"
#include "analysis/time/schedule_summary.h"
#include "analysis/warps/occupancy.h"
#include "core/printed.h"
#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct LaunchTree;

/// Sums over requests of one kind. `ideal_sectors` is 0 for shared memory, `wavefronts` is 0 for global
/// memory.
struct AccessTotals {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0, ideal_sectors = 0, used_bytes = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
    /// Global atomics: sectors accessed with lanes at one address serialized, as the hardware counts them.
    std::uint64_t serialized_sectors = 0;
    std::uint32_t most_lanes_per_address = 0;  // most lanes of one request at one address
    /// Largest wavefronts : ideal_wavefronts over the requests, as an exact fraction.
    std::uint32_t worst_wavefronts = 0, worst_ideal_wavefronts = 1;

    double conflict_ways() const { return double(worst_wavefronts) / worst_ideal_wavefronts; }
    void add(const AccessTotals& other);
    friend bool operator==(const AccessTotals&, const AccessTotals&) = default;
};

struct SiteReport {
    SiteId site = 0;
    std::uint64_t steps = 0;                // executions by warps
    std::uint64_t active_lanes = 0;         // summed over those steps, before predication
    std::uint64_t executed_lanes = 0;       // the same, after predication; of a branch, before it
    std::uint64_t branches_divergent = 0;   // branch sites: steps that took both paths
    std::uint64_t branches = 0;             // branch sites: conditional branches executed
    std::uint64_t taken_lanes = 0;          // branch sites: lanes that took them
    Space space = Space::none;              // of its accesses; none: no accesses, or several spaces
    Operation operation = Operation::none;  // as its Site's
    bool copies = false;  // an asynchronous copy: its operation is a load of global, a store of shared memory
    AccessTotals access;  // memory sites; cp.async counts its load and its store

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
    double mean_executed_lanes() const { return steps ? double(executed_lanes) / double(steps) : 0; }
};

/// The scope of race detection.
struct RaceCheck {
    std::uint64_t blocks = 0;  // 0: races were not detected
    bool complete = false;     // in all blocks executed
    std::string note;          // a sentence: what was left out, and how to include it
};

/// An instruction form of the kernel that the CPU engine does not execute.
struct UnsupportedForm {
    std::string form;           // "multimem.red.global.add.f32"; a call with its callee
    std::string reason;         // why not, as a clause
    std::vector<SiteId> sites;  // ascending; at least one
};

/// Whether the problem is a form that no thread reached: then its element is the form, and its block and
/// thread are not set.
inline bool is_found_at_load(const Problem& problem) {
    return problem.kind == ProblemKind::unsupported_instruction && !problem.element.empty();
}

/// The part of the sums that is the grid's last block: often the edge of the data, it stands for no other.
struct LastBlock {
    std::vector<std::uint64_t> executed_lanes;  // one per site
    std::uint64_t sectors = 0, used_bytes = 0;  // of global and local memory
    std::uint64_t wavefronts = 0;               // of shared memory
};

struct MachineRun;

struct LaunchReport {
    trace::Launch launch;
    Level level = Level::ptx;  // of every count below
    std::uint64_t blocks_executed = 0;
    bool blocks_alike = false;  // all of them, at least two, have the same counts: see whole_grid.h
    std::uint64_t steps = 0;
    std::uint64_t active_lanes = 0;
    std::uint64_t branches = 0;  // steps of conditional branches
    std::uint64_t branches_divergent = 0;
    AccessTotals global_load, global_store, global_atomic, shared_load, shared_store, shared_atomic,
        local_load, local_store, constant_load;
    /// Shared memory accessed through the cluster's window, of any block. Only requests are counted: their
    /// wavefronts over the SMs' network are not known.
    AccessTotals cluster_load, cluster_store, cluster_atomic;
    /// Textures and surfaces. Only requests are counted: a GPU's array layout, and thus the sectors of a
    /// request, is not known.
    AccessTotals texture_load, surface_load, surface_store, surface_atomic;
    /// Of a sample that has the last block, and others; else nothing.
    std::optional<LastBlock> last_block;
    Footprint footprint;            // of the blocks executed
    std::vector<SiteReport> sites;  // one per site of the program, in order
    std::vector<Problem> problems;
    std::vector<Problem> notes;  // remarks on correct behaviour: is_note(kind)
    std::optional<PrintedCalls>
        printed;  // std::nullopt: not known, because this is a recording or a run on a GPU
    /// All such forms, whether a thread reached them or not. std::nullopt: the CPU engine did not load the
    /// kernel.
    std::optional<std::vector<UnsupportedForm>> unsupported;
    /// The grids that device code launched, with their own counts: every other count is of the host's grid,
    /// but problems, notes, prints and the golden check are of all. Null: the kernel launches none, or this
    /// is a recording.
    std::shared_ptr<const LaunchTree> launches;
    /// The same launch by the GPU's machine code, for its counts. Null: not executed.
    std::shared_ptr<const MachineRun> machine_code;
    std::string machine_code_absent;  // a clause: why it is missing where it was requested
    RaceCheck races;
    Occupancy occupancy;
    std::string golden = "none";              // "passed", "failed: …", "not checked: …", "none"
    std::optional<ScheduleSummary> schedule;  // from the timing model, if requested
    std::string schedule_absent;              // a sentence: why a requested schedule is missing
    std::optional<Roofline> roofline;
    std::shared_ptr<const trace::Measured> measured;  // null unless a GPU ran the launch

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
    /// Requests to textures and surfaces.
    std::uint64_t image_requests() const {
        return texture_load.requests + surface_load.requests + surface_store.requests +
               surface_atomic.requests;
    }
};

/// A launch's machine code, executed as well.
struct MachineRun {
    LaunchReport report;
    Program program;  // of its sites
};

/// Folds a launch's events. Sums are exact and do not depend on the number of threads.
class LaunchFold : public trace::Observer {
  public:
    /// `with_requests`: what requests move is counted, which takes as long as executing them.
    explicit LaunchFold(const Program& program, bool with_requests = true);
    ~LaunchFold() override;
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver> observer) override;
    /// The counts over a launch, with the footprint per buffer of `launch`. The caller fills in problems,
    /// prints, occupancy, golden, schedule and roofline.
    LaunchReport report(trace::Launch launch = {}) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Fills LaunchReport::occupancy from its launch's geometry and resources.
void fill_occupancy(LaunchReport& report, const GpuSpec& gpu);

/// The contract of docs/report_json.md; `program` gives the sites their lines.
std::string to_json(const LaunchReport& report, const Program& program);
std::string to_csv(const LaunchReport& report, const Program& program);   // one line per site
std::string to_text(const LaunchReport& report, const Program& program);  // for a terminal

}  // namespace warplens::analysis
