// The timeline's lines: warp slots as spans, the schedulers' issue slots, and their names in the gutter.
#pragma once

#include "app/views/timeline/density.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Whether few enough spans are visible to draw each of them, with words.
bool draws_single_spans(const TimelineCanvas& canvas);
/// Each span of each slot, with the instruction's name where there is room; no words in `labels`, where
/// others will be drawn.
void draw_spans(const TimelineCanvas& canvas, std::span<const Box> labels);
/// Zoomed in, one cell per cycle, filled if the scheduler issued; zoomed out, the share of used slots as a
/// bar.
void draw_issue_slots(const TimelineCanvas& canvas, const TimelineDensity& density);
/// "Scheduler 0", "slot 3", "block 132 warp 3".
void draw_line_names(const TimelineCanvas& canvas);

}  // namespace warplens::app
