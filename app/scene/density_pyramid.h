// DensityPyramid: a schedule at low resolution. Each warp slot's time is divided into bins that hold the
// share of each warp state; four bins make one of the next level, up to the whole, so that a column of pixels
// is the mean of a few cells, however much time it covers. Made once per schedule, off the UI thread. It
// holds states: app/views/timeline/state_light.h gives them a theme's colours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/time/schedule_sums.h"
#include "core/warp_state.h"

namespace warplens::app {

/// The share of a slot's time that its warps spent in each state, 255: all of it; the rest is time without a
/// warp. A whole vector register, so that the loops over it are a few instructions.
struct alignas(16) StateShares {
    std::array<std::uint8_t, 16> of{};
    std::uint8_t operator[](WarpState state) const { return of[static_cast<std::size_t>(state)]; }
};
static_assert(warp_state_count <= 16);

class DensityPyramid {
  public:
    /// Takes as long as a few passes over the spans: not for the UI thread.
    explicit DensityPyramid(const analysis::ScheduleSums& sums);

    /// Columns shorter than this are finer than the lowest level.
    double least_column() const { return 2.0 * bin_cycles_; }
    /// The mean of each of out.size() equal stretches of [begin, end), to within a quarter of a column at
    /// their edges. Only where a column is at least least_column() long.
    void columns(std::size_t row, double begin, double end, std::span<StateShares> out) const;
    std::size_t bytes() const;

  private:
    static constexpr std::uint32_t fan_in = 4;
    struct Level {
        double bin_cycles = 1;
        std::size_t bins = 0;  // per row
        std::vector<StateShares> cells;
    };
    std::uint32_t bin_cycles_ = 1;
    std::vector<Level> levels_;
};

}  // namespace warplens::app
