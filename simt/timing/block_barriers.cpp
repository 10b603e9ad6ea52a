#include "simt/timing/block_barriers.h"

namespace warplens::simt {

BlockBarriers::Release BlockBarriers::open(Barrier& barrier, std::uint32_t cycle) {
    Release release{true, cycle, barrier.site, std::move(barrier.waiting)};
    barrier = {};
    return release;
}

BlockBarriers::Release BlockBarriers::arrive(BarrierId barrier, std::uint32_t cycle, std::uint32_t warp,
                                             bool waits, std::uint32_t expected, SiteId site,
                                             int cycles_per_warp, int latency) {
    Barrier& at = barriers_[barrier.index()];
    at.last_arrival = unit_.take(cycle, cycles_per_warp) + cycles_per_warp;
    at.site = site;
    ++at.arrived;
    if (waits) at.waiting.push_back(warp);
    if (at.arrived < expected) return {};
    return open(at, whole_cycle(at.last_arrival) + static_cast<std::uint32_t>(latency));
}

BlockBarriers::Release BlockBarriers::recheck(BarrierId barrier, std::uint32_t expected, int latency) {
    Barrier& at = barriers_[barrier.index()];
    if (at.waiting.empty() || at.arrived < expected) return {};
    return open(at, whole_cycle(at.last_arrival) + static_cast<std::uint32_t>(latency));
}

BlockBarriers::Release BlockBarriers::force(BarrierId barrier, std::uint32_t cycle) {
    Barrier& at = barriers_[barrier.index()];
    if (at.waiting.empty()) return {};
    return open(at, cycle);
}

}  // namespace warplens::simt
