// L2Partitions: L2 and the DRAM behind it are two halves, each near to half of the SMs. What lies in the half
// that is far from the modelled SM takes longer.
#pragma once

#include <bit>
#include <cstdint>

#include "simt/timing/memory_places.h"
#include "simt/timing/request_table.h"

namespace warplens::simt {

/// 0 or 1: which half a sector lies in.
inline unsigned partition_of(SectorId sector, const MemoryPlaces& places) {
    constexpr std::uint64_t sector_bytes = 32;
    return static_cast<unsigned>(std::popcount(sector * sector_bytes & places.partition_bits)) & 1u;
}

class L2Partitions {
  public:
    /// `far_half`: the one that is far from the modelled SM.
    L2Partitions(const MemoryPlaces& places, unsigned far_half) : places_(&places), far_half_(far_half) {}

    bool is_far(SectorId sector) const { return partition_of(sector, *places_) == far_half_; }
    /// What the place of a line adds to the mean latency of a read from DRAM, and of an atomic.
    double dram(SectorId sector) const { return beside_mean(sector, places_->dram_far); }
    double atomic(SectorId sector) const { return beside_mean(sector, places_->atomic_far); }
    /// What a line that L2 has takes longer if no SM of the modelled one's half has read it: it comes from
    /// the half that it lies in, as far as atomics go.
    double from_far(SectorId sector) const {
        return places_->partition_bits != 0 && is_far(sector) ? places_->atomic_far : 0;
    }

  private:
    double beside_mean(SectorId sector, double apart) const {
        if (places_->partition_bits == 0) return 0;
        return is_far(sector) ? apart / 2 : -apart / 2;
    }

    const MemoryPlaces* places_;
    unsigned far_half_;
};

}  // namespace warplens::simt
