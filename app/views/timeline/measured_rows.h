// The measured timeline's lines: slots with the warps that they held, coloured by block; each SM's resident
// warps as a strip of amounts; and, where there is room, the basic blocks that a warp entered and its waits
// at barriers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/scene/measured_index.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// The state that the parts of a measured timeline share in a frame. Time is nanoseconds of the launch.
struct MeasuredCanvas : TimelinePlot {
    const MeasuredIndex& index;
    std::uint32_t own_sm = 0;  // into MeasuredIndex::sms: the SM for which the axis is exact

    float timer_bound() const {  // pixels
        return static_cast<float>(index.measured().timer_bound_ns / view.size()) * plot.width();
    }
    /// Zoomed in so far that the possible offset between the clocks of two SMs is visible.
    bool finer_than_the_timer() const { return timer_bound() >= ink.px(32); }
};

/// From cycles of an SM to pixels of a plot.
struct CycleScale {
    double at_zero = 0, a_cycle = 1;
    float x(double cycle) const { return static_cast<float>(at_zero + cycle * a_cycle); }
    double cycle(float x) const { return (static_cast<double>(x) - at_zero) / a_cycle; }
};
CycleScale scale_of(const MeasuredCanvas& canvas, std::uint32_t sm);

/// The colour of a block by MeasuredIndex::shade_of_warp.
ImU32 block_colour(const Theme& theme, std::uint32_t shade);
/// A warp that waits, in a row of its block's colour.
ImU32 wait_colour(const Theme& theme, ImU32 block);
/// The colour for a share of the maximum number of warps that the SM held.
ImU32 resident_colour(const Theme& theme, double share);

/// In a warp's bar, drawn in `fill`: its waits at barriers, ticks where it entered a basic block, and the
/// block's line if there is room. Walks the visible visits; subtracts them from `allowance`, and stops when
/// it is used up.
void draw_warp_visits(const TimelinePlot& plot, const MeasuredIndex& index, std::uint32_t warp,
                      const Box& bar, ImU32 fill, const CycleScale& scale, std::size_t& allowance);
inline constexpr std::size_t visits_a_frame = 40'000;

/// The slots' warps and the SMs' resident warps as runs of pixels, kept while the visible range stays the
/// same.
class MeasuredRuns {
  public:
    void update(const MeasuredCanvas& canvas);
    /// The rows.
    void draw(const MeasuredCanvas& canvas);
    /// The heads: how many warps an SM held.
    void draw_resident_warps(const MeasuredCanvas& canvas);

  private:
    struct Level {
        float x0 = 0, x1 = 0;
        std::uint8_t level = 0;  // of `levels`, 0: none
    };
    static constexpr int levels = 24;
    const std::vector<Level>& resident_of(const MeasuredCanvas& canvas, std::uint32_t sm);

    struct Run {
        float x0 = 0, x1 = 0;
        std::uint32_t warp = no_index;  // no_index: many, too short to distinguish
        std::uint8_t share = 0;         // of the pixels' time that was taken; 255: all
    };
    const std::vector<Run>& runs_of(const MeasuredCanvas& canvas, std::size_t row);

    const MeasuredIndex* index_ = nullptr;
    CycleView view_;
    float x0_ = 0, x1_ = 0;
    std::map<std::size_t, std::vector<Run>> rows_;
    std::map<std::uint32_t, std::vector<Level>> resident_;  // by index of the SM
    std::vector<float> columns_;
    std::size_t visits_left_ = 0;  // of the frame's allowance
};

/// "SM 17" with its fold, "slot 3", "block 132 warp 3".
void draw_measured_names(const MeasuredCanvas& canvas, std::span<const TimelineGroup> groups,
                         std::uint32_t chosen);
/// The chosen warp outlined with its visit, the hovered one lighter, the rest of their blocks marked.
void draw_measured_selection(const MeasuredCanvas& canvas, std::uint32_t chosen, std::uint32_t visit,
                             std::uint32_t hovered);
/// At high zoom, the SMs whose times are not exact, hatched.
void draw_others_veil(const MeasuredCanvas& canvas);
/// Below the axis: the possible offset between the times of SMs.
void draw_timer_bound(const MeasuredCanvas& canvas, const Box& strip);

}  // namespace warplens::app
