// WritePort: the port through which an SM's stores and atomics go to L2, line by line. A line of a store that
// waits for the port takes what further stores write to it, until a number of other lines have followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "core/sm_timing.h"
#include "simt/timing/request_table.h"
#include "simt/timing/server.h"

namespace warplens::simt {

/// A loop of stores of a warp joined while 8 to 24 other lines followed (docs/timing_model.md).
inline constexpr std::size_t join_lines = 16;
/// Cycles for which a line that is not whole waits for more before it leaves, the port free meanwhile: a
/// block that ends with stores of bytes or halves stays longer than one with stores of words
/// (docs/timing_model.md).
inline constexpr double join_wait = 95;

/// Of a line that one request writes whole, with all SMs active: the share of the port's cycles
/// (h200_patterns.csv: `stream_write_4`; `l2_write_4` wants 0.9).
inline constexpr double whole_line_store_share = 0.85;

class WritePort {
  public:
    /// `scale`: factor on its cycles with the other SMs active.
    WritePort(const SmTiming& timing, double scale);

    /// Sectors of one line that come at cycle `at`; returns the cycle at which they leave the SM, and those
    /// for which they occupy the port.
    struct Stored {
        double leaves = 0, takes = 0;
    };
    Stored store(double at, std::span<const SectorId> line);
    /// Returns the cycle at which it leaves the SM.
    double atomic(double at, std::size_t sectors);

    /// The cycle from which its buffer has room.
    double accepts() const { return port_.free - buffer_cycles_; }
    /// L2 takes nothing before this cycle. Returns how much later it is than before.
    double block(double until);

  private:
    struct Line {
        std::uint64_t number = 0;
        unsigned sectors = 0;  // one bit each
        double begins = 0, leaves = 0;
    };
    double cost(double lines, double sectors) const {
        return (lines * timing_->store_line_cycles + sectors * timing_->store_sector_cycles) * scale_;
    }
    Line* waiting(std::uint64_t number, double at);

    const SmTiming* timing_;
    double scale_, buffer_cycles_;
    Server port_;
    std::deque<Line> last_;  // the latest first
};

}  // namespace warplens::simt
