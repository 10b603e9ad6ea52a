// The same warp in two runs, above each other over one axis of steps: the shorter run ends early.
#pragma once

#include <cstdint>
#include <string>

#include "app/views/lanes/drawing.h"

namespace warplens::app {

struct LaneSide {
    std::string name;  // of its run: "PAD=0"
    const analysis::LaneTimeline& timeline;
    const Program& program;
};

/// Width left of both grids and of their axis, for what rows and numbers are called.
float lane_side_gutter(const Ink& ink);

/// One run: its name and figures, the grid, and where it ends. `lane` and `stretch` are outlined; the names
/// of its rows stand left of the box. Returns the box of the grid.
Box draw_lane_side(const Ink& ink, Box box, const LaneSide& side, const StepRange& range, int lane,
                   std::uint32_t stretch);

/// "5,120 → 2,240 steps (−56 %), 12.3 → 31 of 32 lanes active".
std::string lane_change_words(const analysis::LaneTimeline& before, const analysis::LaneTimeline& after);

}  // namespace warplens::app
