// L1Cache: tags of one SM's L1 — 128-byte lines of four sectors with LRU replacement — and when each sector's
// data arrive, so that a second request waits for the data of the first. It stores no data.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/timing/request_table.h"

namespace warplens::simt {

/// Cycles of L1's pipe for each line that a request misses: what arrives is written where loads read from
/// (h200_patterns.csv: wavefronts of kernels that read whole lines, less their requests).
inline constexpr double l1_fill_cycles = 0.6;

/// L1 has four banks of tags, and looks a line of each up in a cycle. The bank is all of a line's number,
/// two bits at a time (h200_gathers.csv: 32 lines at random take 11 to 12 cycles).
inline constexpr unsigned l1_tag_banks = 4;
unsigned l1_tag_bank_of(std::uint64_t line);

class L1Cache {
  public:
    explicit L1Cache(std::uint32_t bytes);

    /// The cycle at which the sector's data arrive, possibly in the past; nullptr for a miss. Counts as a
    /// use.
    const double* find(SectorId sector);
    /// The sector's data arrive at `ready`.
    void insert(SectorId sector, double ready);

  private:
    static constexpr int ways = 8;
    struct Line {
        std::uint64_t tag = ~std::uint64_t{0};
        std::uint64_t last_use = 0;
        std::uint8_t valid = 0;  // one bit per sector
        std::array<double, sectors_per_line> ready{};
    };
    std::array<Line, ways>& set_of(std::uint64_t tag);

    std::vector<std::array<Line, ways>> sets_;
    std::uint64_t clock_ = 0;
};

}  // namespace warplens::simt
