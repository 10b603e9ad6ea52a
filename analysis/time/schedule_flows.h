// Flows: which event of a Schedule caused which other — a load the return of its data, the last warp to
// arrive at a barrier the release of the others. Arrows for exports and pictures, without costs (see
// analysis/time/exposed_cost.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"
#include "trace/schedule.h"

namespace warplens::analysis {

enum class FlowKind : std::uint8_t { data, release };

struct Flow {
    FlowKind kind = FlowKind::data;
    SiteId site = 0;                             // the load, or the barrier
    std::uint32_t from_warp = 0, to_warp = 0;    // indices into Schedule::warps; the same for data
    std::uint32_t from_cycle = 0, to_cycle = 0;  // both while the warps are resident; from < to
    friend bool operator==(const Flow&, const Flow&) = default;
};

/// Loads (and atomics with a result) whose data return while their warp is still resident, and for each
/// release of a barrier one flow from the last warp to arrive to each other waiting warp. By warp, then
/// cycle; releases after the data.
std::vector<Flow> flows_of(const trace::Schedule& schedule, const Program& program);

}  // namespace warplens::analysis
