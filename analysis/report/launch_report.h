// LaunchReport: what `warplens report` prints and the window shows, folded from a launch's events. The fold
// is a trace::Observer, so it runs on the engine's events (no trace kept) and on a stored Trace alike.
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

/// Sums over requests of one kind. `ideal_sectors` is 0 for shared memory, `wavefronts` for global.
struct AccessTotals {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0, ideal_sectors = 0, used_bytes = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
    /// Global atomics: sectors touched with lanes at one address taking turns, as the hardware counts them.
    std::uint64_t turn_sectors = 0;
    std::uint32_t most_turns = 0;  // most lanes of one request at one address
    /// Largest wavefronts : ideal_wavefronts over the requests, as a fraction kept exact.
    std::uint32_t worst_wavefronts = 0, worst_ideal_wavefronts = 1;

    double conflict_ways() const { return double(worst_wavefronts) / worst_ideal_wavefronts; }
    void add(const AccessTotals& other);
};

struct SiteReport {
    SiteId site = 0;
    std::uint64_t steps = 0;                // warps that executed it
    std::uint64_t active_lanes = 0;         // summed over those steps, before predication
    std::uint64_t executed_lanes = 0;       // the same, after predication
    std::uint64_t branches_divergent = 0;   // branch sites: steps where both ways were taken
    std::uint64_t branches = 0;             // branch sites: conditional branches executed
    Space space = Space::none;              // of its accesses; none: it never accessed, or several spaces
    Operation operation = Operation::none;  // as its Site's
    bool copies = false;  // an asynchronous copy: its operation is a load of global, a store of shared memory
    AccessTotals access;  // memory sites; cp.async counts its load and its store

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
};

/// How far races were looked for.
struct RaceCheck {
    std::uint64_t blocks = 0;  // 0: they were not looked for
    bool complete = false;     // in all blocks executed
    std::string note;          // what was left out, and how to ask for it: a sentence
};

/// An instruction form of the kernel that the CPU engine does not execute.
struct UnsupportedForm {
    std::string form;           // "multimem.red.global.add.f32"; a call with whom it calls
    std::string reason;         // why not: the end of a sentence
    std::vector<SiteId> sites;  // where it stands, ascending; at least one
};

/// Whether the problem is a form that no thread came to: then its element is the form, and its block and
/// thread say nothing.
inline bool is_found_at_load(const Problem& problem) {
    return problem.kind == ProblemKind::unsupported_instruction && !problem.element.empty();
}

struct LaunchReport {
    trace::Launch launch;
    std::uint64_t blocks_executed = 0;
    std::uint64_t steps = 0;
    std::uint64_t active_lanes = 0;
    std::uint64_t branches = 0;  // steps of conditional branches
    std::uint64_t branches_divergent = 0;
    AccessTotals global_load, global_store, global_atomic, shared_load, shared_store, shared_atomic,
        local_load, local_store, constant_load;
    /// Shared memory reached through the cluster's window, whosever it is. Requests alone are counted: how
    /// they would be cut into wavefronts over the SMs' network is not known.
    AccessTotals cluster_load, cluster_store, cluster_atomic;
    /// Textures and surfaces. Requests alone are counted: how a GPU lays an array out, and so which sectors a
    /// request touches, is not known.
    AccessTotals texture_load, surface_load, surface_store, surface_atomic;
    Footprint footprint;            // of the blocks executed
    std::vector<SiteReport> sites;  // one a site of the program, in order
    std::vector<Problem> problems;
    std::vector<Problem> notes;           // what is right for a reason worth knowing: is_note(kind)
    std::optional<PrintedCalls> printed;  // none: not known, since this is of a recording or a GPU's run
    /// Every form, whether a thread came to it or not. Nothing: the CPU engine did not load the kernel.
    std::optional<std::vector<UnsupportedForm>> unsupported;
    RaceCheck races;
    Occupancy occupancy;
    std::string golden = "none";              // "passed", "failed: …", "none"
    std::optional<ScheduleSummary> schedule;  // by the timing model, when it was asked
    std::string schedule_absent;              // why the model, when asked, has none: a sentence
    std::optional<Roofline> roofline;
    std::shared_ptr<const trace::Measured> measured;  // null unless a GPU ran the launch

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
    /// Of textures and surfaces.
    std::uint64_t image_requests() const {
        return texture_load.requests + surface_load.requests + surface_store.requests +
               surface_atomic.requests;
    }
};

/// Folds a launch's events. Sums are exact and do not depend on the number of threads.
class LaunchFold : public trace::Observer {
  public:
    explicit LaunchFold(const Program& program);
    ~LaunchFold() override;
    std::unique_ptr<trace::BlockObserver> begin_block(std::uint64_t linear_block) override;
    void finish(std::uint64_t linear_block, std::unique_ptr<trace::BlockObserver> observer) override;
    /// The counts over a launch, whose buffers the footprint is told by. Problems, prints, occupancy, golden,
    /// schedule and roofline are the caller's to fill.
    LaunchReport report(trace::Launch launch = {}) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Fills LaunchReport::occupancy from its launch's geometry and resources.
void fill_occupancy(LaunchReport& report, const GpuSpec& gpu);

/// The contract of docs/report_json.md; `program` gives the sites their lines.
std::string to_json(const LaunchReport& report, const Program& program);
std::string to_csv(const LaunchReport& report, const Program& program);   // one line a site
std::string to_text(const LaunchReport& report, const Program& program);  // for a terminal

}  // namespace warplens::analysis
