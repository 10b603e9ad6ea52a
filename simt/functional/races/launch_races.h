// LaunchRaces: the race detector's state for a whole launch — the strength of each site's access, the
// accesses to each word of device memory, and the locations by which blocks synchronise. One thread only.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/problem.h"
#include "simt/functional/decode/decoded_kernel.h"
#include "simt/functional/races/shadow.h"
#include "simt/functional/races/sync_locations.h"

namespace warplens::simt {

/// How a site's access takes part in the order of memory ("PTX ISA: Memory Consistency Model"). Machine code
/// says it of global memory alone (LDG.E.STRONG.GPU), and releases by a fence of its own (MEMBAR).
struct SiteStrength {
    bool strong = false;            // atomic, volatile, relaxed or stronger: races only with plain accesses
    bool releases = false;          // without a preceding fence
    bool atomic = false;            // atom, red
    bool in_step = false;           // volatile access to shared memory: old code relies on lockstep execution
    bool perhaps_volatile = false;  // shared memory of machine code without PTX: nothing says whether it is
    bool plain_store = false;       // st, whose values are in its rows
    bool copies = false;            // cp.async, which accesses both memories
    bool ignored = false;           // ordered in ways that are not tracked: bulk copies, mbarriers
};

class LaunchRaces {
  public:
    static constexpr u64 most_shadow_bytes = u64{256} << 20;

    /// `ptx`: as in machine_races.h.
    explicit LaunchRaces(const DecodedKernel& kernel, std::string_view ptx = {});

    const SiteStrength& strength(SiteId site) const { return strengths_[site]; }
    u32 shared_shift() const { return shared_shift_; }
    u32 global_shift() const { return global_shift_; }
    /// The shadow has reached its size limit: memory that was not accessed before is not watched.
    bool full() const { return full_; }
    /// Removes false races: a plain read before an atomic of the same word, which reads the word again
    /// (compare-and-swap loops begin this way).
    void drop_excused(std::vector<Problem>& problems) const;

    /// A page of cells of device memory; nullptr if it would exceed the limit.
    Cells* global_page(u64 number) {
        Cells* page = cells_.page(number, most_shadow_bytes);
        full_ |= page == nullptr || stamps.bytes() >= most_shadow_bytes;
        return page;
    }

    /// malloc reused these bytes: earlier accesses to them no longer matter.
    void forget(u64 address, u64 bytes) {
        if (bytes != 0) cells_.forget(address >> global_shift_, (address + bytes - 1) >> global_shift_);
    }

    StampTable stamps;  // for accesses to device memory
    SyncLocations locations;
    std::unordered_set<SiteId> peeks;  // sites of such reads

  private:
    std::vector<SiteStrength> strengths_;
    u32 shared_shift_ = 3, global_shift_ = 3;
    PagedCells cells_;
    bool full_ = false;
};

}  // namespace warplens::simt
