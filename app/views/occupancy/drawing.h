// The parts of the occupancy view: each draws one figure into a box and knows nothing of the others.
#pragma once

#include "analysis/warps/occupancy.h"
#include "app/ui/theme.h"

namespace warplens::app {

struct Region {
    ImVec2 min, max;
    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

/// One SM as its warp slots, filled block by block; empty slots hatched.
void draw_warp_slots(ImDrawList& list, const Theme& theme, Region box, const GpuSpec& gpu,
                     const analysis::Occupancy& occupancy);

/// Four bars — warps, blocks, registers, shared memory — with the one that runs out marked, and what is left.
/// `ghost`: another run's, outlined over them; null: none.
void draw_limit_bars(ImDrawList& list, const Theme& theme, Region box, const analysis::Occupancy& occupancy,
                     const analysis::Occupancy* ghost = nullptr);

/// Warps per SM over one knob, a step curve, with the current point. Returns the knob's value under the mouse
/// while it is dragged there, else -1.
int draw_occupancy_curve(ImDrawList& list, const Theme& theme, Region box, const GpuSpec& gpu,
                         const std::vector<analysis::OccupancyPoint>& curve, analysis::OccupancyKnob knob,
                         int current, bool interactive);

/// The same launch on every GPU of the table and on the chosen one, outlined. Returns the GPU clicked, or
/// null.
const GpuSpec* draw_gpu_table(ImDrawList& list, const Theme& theme, Region box,
                              const analysis::OccupancyInput& input, const GpuSpec& chosen, bool interactive);

/// Height of the table with all its rows, or with so many.
float gpu_table_height(const Theme& theme, const GpuSpec& chosen);
float gpu_table_height(const Theme& theme, std::size_t rows);

}  // namespace warplens::app
