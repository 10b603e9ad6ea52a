// RaceDetector: finds accesses of two threads to the same shared byte between two barriers, at least one of
// them a plain write. It hears every access of one block, like an observer, and reports through the block.
// It knows block-wide barriers only: threads of one warp that synchronise with bar.warp.sync or by standing
// together in one instruction are taken to be in order.
#pragma once

#include <vector>

#include "simt/functional/warp.h"

namespace warplens::simt {

class RaceDetector {
  public:
    void begin(u64 shared_bytes);
    void barrier_released() { ++epoch_; }
    void note(Warp& warp, const trace::Access& access);

  private:
    struct Byte {
        u32 epoch = 0;
        u16 writer = 0,
            reader = 0;  // thread + 1; 0: nobody yet. Two readers: the first of another warp stays
        SiteId write_site = 0, read_site = 0;
        bool atomic_write = false;
    };
    void report(Warp& warp, SiteId site, int lane, u64 address, bool writes, u32 other_thread,
                SiteId other_site, bool other_writes);

    std::vector<Byte> bytes_;
    u32 epoch_ = 1;
};

}  // namespace warplens::simt
