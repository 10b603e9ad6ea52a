// DensityPyramid: a schedule seen from afar. Each warp slot's time is cut into stretches whose states are
// mixed as light is; four stretches make one of the next level, up to the whole, so that a column of pixels
// is the mean of a few cells however much time it holds. Made once a schedule, for both themes, off the UI
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/time/schedule_sums.h"
#include "app/ui/theme.h"

namespace warplens::app {

/// Light is linear, 0 to 65,535; where no warp was, the background's.
struct DensityCell {
    std::uint16_t red = 0, green = 0, blue = 0;
    std::uint8_t issued = 0,
                 eligible = 0;  // share of the cycles with a warp that issued, that was eligible; 255: all
};
static_assert(sizeof(DensityCell) == 8);

/// Mixes the states of a theme.
class StateLight {
  public:
    explicit StateLight(const Theme& theme);
    DensityCell mixed(const ByWarpState<float>& shares) const;
    DensityCell background() const { return cell_of(background_); }

    /// The same bit by bit: a mixture begins as the background and states are added to it.
    struct Mixture {
        float red = 0, green = 0, blue = 0, issued = 0, eligible = 0;
    };
    Mixture nothing() const { return background_; }
    void add(Mixture& to, WarpState state, float share) const {
        const Mixture& light = above_background_[state];
        to.red += share * light.red;
        to.green += share * light.green;
        to.blue += share * light.blue;
        to.issued += share * light.issued;
        to.eligible += share * light.eligible;
    }
    static DensityCell cell_of(const Mixture& mixture);

  private:
    Mixture background_;
    ByWarpState<Mixture> above_background_;
};
/// As the screen wants it.
ImU32 colour_of(const DensityCell& cell);

class DensityPyramid {
  public:
    DensityPyramid(const analysis::ScheduleSums& sums, const Theme& theme);

    /// Columns shorter than this are finer than the lowest level.
    double least_column() const { return 2.0 * bin_cycles_; }
    /// The mean of each of out.size() equal stretches of [begin, end), to within a quarter of a column at
    /// their edges. Only where a column is at least least_column() long.
    void columns(std::size_t row, double begin, double end, std::span<DensityCell> out) const;
    std::size_t bytes() const;

  private:
    static constexpr std::uint32_t fan_in = 4;
    struct Level {
        double bin_cycles = 1;
        std::size_t bins = 0;  // a row
        std::vector<DensityCell> cells;
    };
    std::uint32_t bin_cycles_ = 1;
    DensityCell background_;
    std::vector<Level> levels_;
};

/// Of one schedule, in every theme, so that a change of theme builds nothing either.
class DensityPyramids {
  public:
    /// Takes as long as a few passes over the spans: not for the UI thread.
    explicit DensityPyramids(const analysis::ScheduleSums& sums)
        : by_theme_{DensityPyramid(sums, make_theme(ThemeName::dark, {})),
                    DensityPyramid(sums, make_theme(ThemeName::light, {}))} {}

    const DensityPyramid& of(ThemeName theme) const { return by_theme_[static_cast<std::size_t>(theme)]; }
    std::size_t bytes() const { return by_theme_[0].bytes() + by_theme_[1].bytes(); }

  private:
    std::array<DensityPyramid, 2> by_theme_;  // as ThemeName counts
};

}  // namespace warplens::app
