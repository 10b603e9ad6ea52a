// WarpClocks: which of a block's earlier accesses are ordered before what a lane does now. Every warp has its
// own clock, which ticks at each event that could order accesses. A warp stores for every other warp up to
// which time it has observed it, and a lane does so for the lanes of its warp. Between blocks:
// sync_locations.h.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/lane_mask.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// Per warp: accesses made before this time are ordered before. Empty: none is.
using WarpTimes = std::vector<u32>;

/// Takes the later of both, warp by warp.
void join(WarpTimes& into, const WarpTimes& from);

/// What warps store at a barrier when they arrive, and take over when it opens.
struct Gathering {
    WarpTimes seen;
    WarpTimes fenced_in_block, fenced;  // what fences had made visible before
};

class WarpClocks {
  public:
    explicit WarpClocks(std::size_t warps);
    void reset();

    u32 now(u32 warp) const { return warps_[warp].now; }
    /// Whether an access of lane `from` of `from_warp` at time `time` is before what lane `lane` of `warp`
    /// does now.
    bool before(u32 from_warp, u32 from, u32 time, u32 warp, u32 lane) const {
        if (from_warp != warp) return warps_[warp].seen[from_warp] > time;
        if (from == lane || warps_[warp].together > time) return true;
        const Lanes* lanes = warps_[warp].lanes.get();
        return lanes && (*lanes)[lane][from] > time;
    }

    /// Whether every lane's accesses at `time` are before what any other lane does now.
    bool all_before(u32 warp, u32 time) const { return warps_[warp].together > time; }

    /// The lanes of `mask` wait for each other; `all`: these are all lanes left in the warp.
    void meet(u32 warp, u32 mask, bool all);
    void arrive(u32 warp, Gathering& at);
    void leave(u32 warp, const Gathering& at);
    /// What happened before a fence becomes visible to readers of a later strong write.
    void fence(u32 warp, bool beyond_block);

    /// What a strong write of the warp makes visible: everything observed if the write itself releases, else
    /// everything before its last fence. Empty: nothing.
    WarpTimes released(u32 warp, bool write_releases, bool beyond_block);
    void learn(u32 warp, u32 lane, const WarpTimes& times);

  private:
    using Lanes = std::array<std::array<u32, warp_size>, warp_size>;
    struct Warp {
        u32 now = 1;
        u32 together = 0;  // accesses before this time are ordered before every lane
        WarpTimes seen, fenced_in_block, fenced;
        std::unique_ptr<Lanes> lanes;  // [lane][other]; null: only all lanes together have synchronised
    };
    Lanes& lanes_of(Warp& warp);

    std::vector<Warp> warps_;
};

}  // namespace warplens::simt
