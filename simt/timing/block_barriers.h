// BlockBarriers: the 16 barriers of one resident block. One unit processes arrivals one after another.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/launch_limits.h"
#include "core/program.h"
#include "simt/timing/server.h"

namespace warplens::simt {

class BlockBarriers {
  public:
    struct Release {
        bool released = false;
        std::uint32_t cycle = 0;
        SiteId site = 0;
        std::vector<std::uint32_t> warps;  // resident indices of the waiting warps
    };

    /// A warp arrives at `cycle`; it waits unless `waits` is false. `expected` warps open the barrier.
    Release arrive(BarrierId barrier, std::uint32_t cycle, std::uint32_t warp, bool waits,
                   std::uint32_t expected, SiteId site, int cycles_per_warp, int latency);
    /// Fewer warps are left: opens barriers that have all their warps now.
    Release recheck(BarrierId barrier, std::uint32_t expected, int latency);
    /// Opens a barrier whose warps would wait forever.
    Release force(BarrierId barrier, std::uint32_t cycle);

  private:
    struct Barrier {
        std::uint32_t arrived = 0;
        double last_arrival = 0;
        SiteId site = 0;
        std::vector<std::uint32_t> waiting;
    };
    Release open(Barrier& barrier, std::uint32_t cycle);

    std::array<Barrier, barriers_per_block> barriers_;
    Server unit_;
};

}  // namespace warplens::simt
