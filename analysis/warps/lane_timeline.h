// LaneTimeline: one warp's walk through the basic blocks as a picture needs it: stretches of visits by the
// same lanes, where the warp splits and where lanes meet again. Order only; it knows no cycles (see
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
    SiteId first_site = 0, last_site = 0;      // of the first visit and of the last one
    std::uint32_t min_line = 0, max_line = 0;  // source lines its sites came from; 0: unknown
    /// The same lanes get the same small number, in order of first appearance: a colour for those that run
    /// together. Path 0 is the first stretch's, so all of the warp's lanes.
    std::uint32_t path = 0;
};

struct LaneEvent {
    enum class Kind : std::uint8_t {
        split,  // a conditional branch whose lanes went both ways
        meet,   // a stretch begins with lanes that were apart
        leave,  // lanes have ended and walk no more
    };
    Kind kind = Kind::split;
    std::uint32_t before_visit = 0;  // the event lies between visits before_visit - 1 and before_visit
    std::uint64_t step = 0;
    SiteId site = no_index;  // split: the branch; meet: where lanes meet; leave: no_index
    LaneMask lanes;          // all that take part: those that split, that have met, that left
    LaneMask taken;          // split: those that jumped; meet: the newcomers; leave: the same as lanes
};

struct LaneTimeline {
    std::uint32_t warp_record = 0;  // index into Trace::warps
    std::vector<LaneStretch> stretches;
    std::vector<LaneEvent> events;  // ascending by step
    std::uint64_t steps = 0;
    std::uint64_t active_lanes = 0;  // summed over the steps
    std::uint32_t paths = 0;

    double mean_active_lanes() const { return steps ? double(active_lanes) / double(steps) : 0; }
};
LaneTimeline lane_timeline(const trace::Trace& trace, std::uint32_t warp_record);

/// The index of the stretch that holds a visit (index within the warp's visits).
std::size_t stretch_of(const LaneTimeline& timeline, std::uint32_t visit);

}  // namespace warplens::analysis
