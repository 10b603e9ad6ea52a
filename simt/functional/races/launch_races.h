// LaunchRaces: what the search for races keeps for a whole launch — how strong each site's access is, who
// touched which word of device memory, and where blocks leave word for each other. One thread only.
#pragma once

#include <unordered_set>
#include <vector>

#include "core/problem.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/races/shadow.h"
#include "simt/functional/races/sync_locations.h"

namespace warplens::simt {

/// How a site's access takes part in the order of memory ("PTX ISA: Memory Consistency Model").
struct SiteStrength {
    bool strong = false;       // atomic, volatile, relaxed or stronger: races only with plain accesses
    bool releases = false;     // without a fence in front
    bool atomic = false;       // atom, red
    bool in_step = false;      // volatile access to shared memory: old code counts on lanes in lockstep
    bool plain_store = false;  // st, whose values stand in its rows
    bool copies = false;       // cp.async, which touches both memories
    bool ignored = false;      // ordered by means that are not followed: bulk copies, mbarriers
};

class LaunchRaces {
  public:
    static constexpr u64 most_shadow_bytes = u64{256} << 20;

    explicit LaunchRaces(const DecodedKernel& kernel);

    const SiteStrength& strength(SiteId site) const { return strengths_[site]; }
    u32 shared_shift() const { return shared_shift_; }
    u32 global_shift() const { return global_shift_; }
    /// The shadow is as large as it may get: what was not touched by then is not watched.
    bool full() const { return full_; }
    /// Races that are none: a plain read in front of an atomic of the same word, which looks at the word
    /// again (a compare-and-swap loop begins so).
    void drop_excused(std::vector<Problem>& problems) const;

    /// Of cells of device memory; nullptr where it would take too much memory.
    Cells* global_page(u64 number) {
        Cells* page = cells_.page(number, most_shadow_bytes);
        full_ |= page == nullptr || stamps.bytes() >= most_shadow_bytes;
        return page;
    }

    /// malloc gave these bytes to somebody anew: what was done with them before is no concern of theirs.
    void forget(u64 address, u64 bytes) {
        if (bytes != 0) cells_.forget(address >> global_shift_, (address + bytes - 1) >> global_shift_);
    }

    StampTable stamps;  // of accesses to device memory
    SyncLocations locations;
    std::unordered_set<SiteId> peeks;  // sites of such reads

  private:
    std::vector<SiteStrength> strengths_;
    u32 shared_shift_ = 3, global_shift_ = 3;
    PagedCells cells_;
    bool full_ = false;
};

}  // namespace warplens::simt
