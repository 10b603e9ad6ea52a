// DramRefresh: the stacks of DRAM are refreshed one after another, each once in an interval. A read that
// comes meanwhile waits until its stack is done.
#pragma once

#include <cmath>
#include <cstdint>

#include "simt/timing/memory_places.h"
#include "simt/timing/request_table.h"

namespace warplens::simt {

class DramRefresh {
  public:
    /// `phase`: intervals from the beginning of the first stack's refresh to cycle 0.
    DramRefresh(const MemoryPlaces& places, double phase)
        : interval_(places.refresh_interval),
          begins_(phase * places.refresh_interval),
          lasts_(places.refresh),
          stacks_(static_cast<std::uint64_t>(places.stacks)) {}

    /// When the sector's stack serves what comes at this cycle.
    double serves(double at, SectorId sector) const {
        if (interval_ <= 0) return at;
        const double begun =
            std::fmod(at + begins_ + interval_ * double(stack_of(sector)) / double(stacks_), interval_);
        return begun < lasts_ ? at + lasts_ - begun : at;
    }
    /// Cycles that a read waits in the mean.
    double mean() const { return interval_ > 0 ? lasts_ * lasts_ / 2 / interval_ : 0; }

  private:
    /// Which stack a line is in, only the GPU knows; the model draws it.
    std::uint64_t stack_of(SectorId sector) const {
        constexpr std::uint64_t sectors_in_turn = 128;  // 4 KiB, as of the halves of L2
        const std::uint64_t turn = sector / sectors_in_turn;
        return (((turn ^ (turn >> 15)) * 0x9e3779b97f4a7c15u) >> 40) % stacks_;
    }

    double interval_, begins_, lasts_;
    std::uint64_t stacks_;
};

}  // namespace warplens::simt
