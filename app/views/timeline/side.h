// The timeline's side panel: what limited the kernel, the states of its warps in total and over a range
// as stacked bars, the use of the issue slots, and the eligible warps over the visible cycles.
#pragma once

#include <optional>
#include <string>

#include "app/views/timeline/density.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

struct TimelineRangeWords {
    analysis::CycleRange range;
    std::string name;  // "Range, 200 to 700", "In sight"
};

/// Fills `box` as far as its height allows. `range` is compared with the total.
void draw_timeline_side(const TimelineCanvas& canvas, const TimelineDensity& density, const Box& box,
                        const std::string& limiting, const std::optional<TimelineRangeWords>& range);

}  // namespace warplens::app
