// L1Cache: tags of one SM's L1 — 128-byte lines of four sectors, least recently used out first — and when
// each sector's data arrives, so that a second request to it waits for the first one's. No data.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/timing/request_table.h"

namespace warplens::simt {

class L1Cache {
  public:
    explicit L1Cache(std::uint32_t bytes);

    /// The cycle from which the sector's data are there, in the past for an old one; nullptr for a miss.
    /// Counts as a use.
    const double* find(SectorId sector);
    /// The sector's data will be there at `ready`.
    void insert(SectorId sector, double ready);

  private:
    static constexpr int ways = 8;
    struct Line {
        std::uint64_t tag = ~std::uint64_t{0};
        std::uint64_t last_use = 0;
        std::uint8_t valid = 0;  // one bit a sector
        std::array<double, sectors_per_line> ready{};
    };
    std::array<Line, ways>& set_of(std::uint64_t tag);

    std::vector<std::array<Line, ways>> sets_;
    std::uint64_t clock_ = 0;
};

}  // namespace warplens::simt
