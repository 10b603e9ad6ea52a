// WarpClocks: which of a block's earlier accesses are ordered before what a lane does now. Every warp counts
// its own time, a tick at each event that could order something; a warp knows how far the times of the others
// lie behind it, and so does a lane of its own warp's lanes. Between blocks: sync_locations.h.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/lane_mask.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

/// By warp: accesses made at an earlier time are ordered before. Empty: none is.
using WarpTimes = std::vector<u32>;

/// Takes the later of both, warp by warp.
void join(WarpTimes& into, const WarpTimes& from);

/// What warps leave behind at a barrier, and take along when it opens.
struct Gathering {
    WarpTimes seen;
    WarpTimes fenced_in_block, fenced;  // what fences had made visible before
};

class WarpClocks {
  public:
    explicit WarpClocks(std::size_t warps);
    void reset();

    u32 now(u32 warp) const { return warps_[warp].now; }
    /// Lane `from` of a warp, at time `time` of that warp: is it before what lane `lane` of `warp` does now?
    bool before(u32 from_warp, u32 from, u32 time, u32 warp, u32 lane) const {
        if (from_warp != warp) return warps_[warp].seen[from_warp] > time;
        if (from == lane || warps_[warp].together > time) return true;
        const Lanes* lanes = warps_[warp].lanes.get();
        return lanes && (*lanes)[lane][from] > time;
    }

    /// Is what any lane of the warp did at `time` before what any other does now?
    bool all_before(u32 warp, u32 time) const { return warps_[warp].together > time; }

    /// The lanes of `mask` wait for each other; `all`: no other lane of the warp is left.
    void meet(u32 warp, u32 mask, bool all);
    void arrive(u32 warp, Gathering& at);
    void leave(u32 warp, const Gathering& at);
    /// What happened before a fence becomes visible to whoever sees a strong write that follows it.
    void fence(u32 warp, bool beyond_block);

    /// What a strong write of the warp makes visible: all that it has seen if the write itself releases, else
    /// what stood before its last fence. Empty: nothing.
    WarpTimes released(u32 warp, bool write_releases, bool beyond_block);
    void learn(u32 warp, u32 lane, const WarpTimes& times);

  private:
    using Lanes = std::array<std::array<u32, warp_size>, warp_size>;
    struct Warp {
        u32 now = 1;
        u32 together = 0;  // before this time: ordered before every lane
        WarpTimes seen, fenced_in_block, fenced;
        std::unique_ptr<Lanes> lanes;  // [lane][other]; null: no two lanes met without the others
    };
    Lanes& lanes_of(Warp& warp);

    std::vector<Warp> warps_;
};

}  // namespace warplens::simt
