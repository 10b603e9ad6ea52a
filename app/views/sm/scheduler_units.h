// The units of one scheduler below its warp slots: pipes, and the queues for shared and for global memory.
#pragma once

#include "app/views/sm/drawing.h"

namespace warplens::app {

/// The least height of them, without what is around them, and the least width for their names.
float scheduler_units_height(const Ink& ink, SmDetail detail);
float scheduler_units_width(const Ink& ink);

void draw_scheduler_units(const Ink& ink, const SmDiagram& diagram, const analysis::SchedulerState& scheduler,
                          Box box, SmDetail detail, SmHit& hit);

}  // namespace warplens::app
