// SyncLocations: memory words by which threads synchronise — flags, counters, locks. A strong write (atomic,
// volatile, relaxed or stronger) after a fence stores there everything its warp had observed; a strong read
// of the word takes it over. Whether the read returned exactly that write is not checked: every later read is
// assumed to have observed it, so that no correct program is reported.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/functional/races/warp_clocks.h"

namespace warplens::simt {

struct SyncLocation;

/// What a block has observed of other blocks: everything stored at these locations by then, and what those
/// that stored it had observed elsewhere. A location only gains entries, so what was once followed stays
/// known.
class Knowledge {
  public:
    struct From {
        const SyncLocation* location;
        u32 entries;
    };

    void add(const SyncLocation& location, u32 entries);
    /// Whether it includes what `warp` of `block` did at `time`.
    bool covers(u64 block, u32 warp, u32 time) const;
    void clear();
    /// The locations that it observed itself.
    const std::vector<From>& from() const { return from_; }

  private:
    /// Extends what is reached to `open` and to all that its writers had observed.
    void follow(std::vector<From> open);

    std::vector<From> from_, reached_;
    std::unordered_map<const SyncLocation*, std::size_t> place_;  // in reached_
};

struct SyncLocation {
    struct Left {
        u64 block;
        WarpTimes in_block, beyond;  // as observed within the block, by other blocks
    };
    struct Link {  // what a block that wrote here had observed elsewhere
        Knowledge::From from;
        u32 entry;
    };
    struct OfBlock {
        std::vector<u32> entries;
        WarpTimes in_block;  // of all locations
    };
    std::vector<Left> entries;
    std::vector<Link> links;                              // their entries ascend
    std::unordered_map<const SyncLocation*, u32> linked;  // to which a link leads: the most entries
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
