// SyncLocations: memory words by which threads wait for each other — flags, counters, locks. A strong write
// (atomic, volatile, relaxed or stronger) behind a fence leaves there what its warp had seen; who reads the
// word strongly knows it from then on. Whether a read met just that write is not asked: whoever comes later
// is taken to have seen it, so that no right program is suspected.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/functional/races/warp_clocks.h"

namespace warplens::simt {

struct SyncLocation;

/// What a block has learned of other blocks: all that was left at these places by then.
struct Knowledge {
    struct From {
        const SyncLocation* location;
        u32 entries;
    };
    std::vector<From> from;

    void add(const SyncLocation& location, u32 entries);
    /// Is what `warp` of `block` did at `time` among it?
    bool covers(u64 block, u32 warp, u32 time) const;
};

struct SyncLocation {
    struct Left {
        u64 block;
        WarpTimes in_block, beyond;  // what the block itself may know of it, what others may
    };
    struct Link {  // what a block that left something here had learned elsewhere
        Knowledge::From from;
        u32 entry;
    };
    struct OfBlock {
        std::vector<u32> entries;
        WarpTimes in_block;  // of all of them
    };
    std::vector<Left> entries;
    std::vector<Link> links;
    std::unordered_map<u64, OfBlock> by_block;
};

class SyncLocations {
  public:
    bool empty() const { return places_.empty(); }
    SyncLocation* find(u64 address) {
        auto at = places_.find(address);
        return at == places_.end() ? nullptr : at->second.get();
    }
    void leave(u64 address, u64 block, WarpTimes in_block, WarpTimes beyond, const Knowledge& known);
    void clear() { places_.clear(); }

  private:
    std::unordered_map<u64, std::unique_ptr<SyncLocation>> places_;
};

}  // namespace warplens::simt
