// LaneTimeline: one warp's path through the basic blocks, for a picture: stretches of visits by the same
// lanes, where the warp diverges and where lanes reconverge. Order only, without cycles (see
// trace::Schedule).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace warplens::analysis {

/// Consecutive visits of one warp under one active mask.
struct LaneStretch {
    std::uint32_t first_visit = 0;  // index within the warp's visits
    std::uint32_t visits = 0;
    LaneMask active;
    std::uint64_t first_step = 0;  // steps the warp executed before this stretch
    std::uint64_t steps = 0;
    SiteId first_site = 0, last_site = 0;      // of the first and of the last visit
    std::uint32_t min_line = 0, max_line = 0;  // source lines of its sites; 0: unknown
    /// A small number per set of lanes, in order of first appearance: a colour for lanes that run together.
    /// Path 0 is the first stretch's, with all of the warp's lanes.
    std::uint32_t path = 0;
};

/// Consecutive steps at which the same of the active lanes are turned off by their instruction's predicate.
/// They go along, but the instruction does nothing for them.
struct PredicatedSteps {
    std::uint64_t first_step = 0, steps = 0;
    LaneMask off;

    friend bool operator==(const PredicatedSteps&, const PredicatedSteps&) = default;
};

struct LaneEvent {
    enum class Kind : std::uint8_t {
        split,  // a conditional branch that diverged
        meet,   // a stretch begins with lanes that were diverged
        leave,  // lanes have exited
    };
    Kind kind = Kind::split;
    std::uint32_t before_visit = 0;  // the event is between visits before_visit - 1 and before_visit
    std::uint64_t step = 0;
    SiteId site = no_index;  // split: the branch; meet: where lanes reconverge; leave: no_index
    LaneMask lanes;          // all lanes that split, met or left
    LaneMask taken;          // split: lanes that jumped; meet: the newcomers; leave: equals `lanes`
};

struct LaneTimeline {
    std::uint32_t warp_record = 0;  // index into Trace::warps
    std::vector<LaneStretch> stretches;
    std::vector<LaneEvent> events;            // ascending by step
    std::vector<PredicatedSteps> predicated;  // ascending by step; branches are not among them
    std::uint64_t steps = 0;
    std::uint64_t active_lanes = 0;    // sum over the steps
    std::uint64_t executed_lanes = 0;  // likewise, with the predicate on; of a branch, those that take it
    std::uint32_t paths = 0;

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
    double mean_executed_lanes() const { return steps ? double(executed_lanes) / double(steps) : 0; }
};
LaneTimeline lane_timeline(const trace::Trace& trace, std::uint32_t warp_record);

/// The index of the stretch that contains a visit (index within the warp's visits).
std::size_t stretch_of(const LaneTimeline& timeline, std::uint32_t visit);

}  // namespace warplens::analysis
