#include "simt/functional/races/warp_clocks.h"

#include <algorithm>

namespace warplens::simt {

void join(WarpTimes& into, const WarpTimes& from) {
    if (from.empty()) return;
    if (into.size() < from.size()) into.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

WarpClocks::WarpClocks(std::size_t warps) : warps_(warps) { reset(); }

void WarpClocks::reset() {
    for (Warp& warp : warps_) {
        warp.now = 1;
        warp.together = 0;
        warp.seen.assign(warps_.size(), 0);
        warp.fenced_in_block.clear();
        warp.fenced.clear();
        warp.lanes.reset();
    }
}

WarpClocks::Lanes& WarpClocks::lanes_of(Warp& warp) {
    if (!warp.lanes) warp.lanes = std::make_unique<Lanes>();
    return *warp.lanes;
}

void WarpClocks::meet(u32 index, u32 mask, bool all) {
    Warp& warp = warps_[index];
    ++warp.now;
    if (all) {
        warp.together = warp.now;
        return;
    }
    Lanes& lanes = lanes_of(warp);
    std::array<u32, warp_size> known{};
    for_each_lane({mask}, [&](int lane) {
        const auto& row = lanes[static_cast<std::size_t>(lane)];
        for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], row[i]);
    });
    for_each_lane({mask}, [&](int lane) { known[static_cast<std::size_t>(lane)] = warp.now; });
    for_each_lane({mask}, [&](int lane) { lanes[static_cast<std::size_t>(lane)] = known; });
}

void WarpClocks::arrive(u32 index, Gathering& at) {
    Warp& warp = warps_[index];
    join(at.seen, warp.seen);
    at.seen[index] = ++warp.now;
    join(at.fenced_in_block, warp.fenced_in_block);
    join(at.fenced, warp.fenced);
}

void WarpClocks::leave(u32 index, const Gathering& at) {
    Warp& warp = warps_[index];
    join(warp.seen, at.seen);
    join(warp.fenced_in_block, at.fenced_in_block);
    join(warp.fenced, at.fenced);
}

void WarpClocks::fence(u32 index, bool beyond_block) {
    Warp& warp = warps_[index];
    WarpTimes all = warp.seen;
    all[index] = ++warp.now;
    if (beyond_block) warp.fenced = all;
    warp.fenced_in_block = std::move(all);
}

WarpTimes WarpClocks::released(u32 index, bool write_releases, bool beyond_block) {
    Warp& warp = warps_[index];
    if (!write_releases) return beyond_block ? warp.fenced : warp.fenced_in_block;
    WarpTimes all = warp.seen;
    all[index] = ++warp.now;
    return all;
}

void WarpClocks::learn(u32 index, u32 lane, const WarpTimes& times) {
    if (times.empty()) return;
    Warp& warp = warps_[index];
    join(warp.seen, times);
    if (const u32 own = times[index]; own > 0)
        for (u32& other : lanes_of(warp)[lane]) other = std::max(other, own);
}

}  // namespace warplens::simt
