// TimelineDensity: the timeline zoomed out — for each warp slot and pixel column the mixture of its warps'
// states, drawn as one small image for all slots; and, from the same sums, each scheduler's used issue slots
// and the eligible warps. Recomputed only when the visible cycles change.
#pragma once

#include <vector>

#include "app/scene/density_pyramid.h"
#include "app/ui/pixel_texture.h"
#include "app/views/timeline/parts.h"
#include "app/views/timeline/state_light.h"

namespace warplens::app {

class TimelineDensity {
  public:
    /// Follows the canvas; cheap when nothing has changed. Without pixels there is nothing to draw, but the
    /// shares are still computed.
    void update(const TimelineCanvas& canvas, bool with_pixels);
    /// The slots' lines of the canvas. `as_image` needs a PixelTexture; else runs of alike pixels are drawn
    /// as rectangles.
    void draw(const TimelineCanvas& canvas, bool as_image);

    /// One per pixel column of the plot: issues over cycles of a scheduler, 0 to 1.
    const std::vector<float>& issued(std::size_t scheduler) const { return issued_[scheduler]; }
    /// The same for the eligible warps of a scheduler, on average over the schedulers.
    const std::vector<float>& eligible() const { return eligible_; }

  private:
    void fill_row(const TimelineCanvas& canvas, const StateLight& light, std::size_t row);

    const TimelineIndex* index_ = nullptr;
    CycleView view_;
    ThemeName theme_ = ThemeName::dark;
    std::size_t columns_ = 0;
    bool painted_ = false, uploaded_ = false;
    // Of one row at a time.
    std::vector<ByWarpState<float>> shares_;
    std::vector<StateShares> cells_;
    std::vector<ImU32> colours_;
    std::vector<std::vector<float>> issued_;  // by scheduler
    std::vector<float> eligible_;
    std::vector<ImU32> pixels_;  // rows of ScheduleSums, columns_ each
    PixelTexture texture_;
};

}  // namespace warplens::app
