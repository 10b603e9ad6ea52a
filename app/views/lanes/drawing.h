// The drawing of one warp's execution: lanes down, steps to the right. Given the part to show and a box, it
// draws it and returns what is under the mouse; the lanes view chooses the warp and the part.
#pragma once

#include <cstdint>

#include "analysis/warps/lane_timeline.h"
#include "app/ui/ink.h"
#include "core/program.h"

namespace warplens::app {

/// Steps [first, last) of the warp, to be drawn over the width of a box.
struct StepRange {
    double first = 0, last = 1;
    double size() const { return last - first; }
};

/// Path 0 is all lanes together: no other path has its colour.
ImU32 colour_of_path(const Theme& theme, std::uint32_t path);
/// So many colours the other paths have.
constexpr std::uint32_t path_colours = 7;

/// Path 0 at a step whose predicate is off; other paths get paler likewise.
ImU32 colour_of_predicated(const Theme& theme);

/// A warp in a few pixels: its active lanes over its entire execution.
void draw_lane_thumbnail(const Ink& ink, const Box& box, const analysis::LaneTimeline& timeline);

/// The grid of lanes over steps. `lane` and `stretch` (an index, or no_index) are outlined.
void draw_lane_grid(const Ink& ink, const Box& box, const analysis::LaneTimeline& timeline,
                    const StepRange& range, int lane, std::uint32_t stretch);

/// Where lanes part and meet, as marks with the lanes' numbers above the grid, each with a line down through
/// it.
void draw_lane_events(const Ink& ink, const Box& marks, const Box& grid,
                      const analysis::LaneTimeline& timeline, const StepRange& range);

/// The source lines below the grid, one label a run of stretches with the same lines, where there is room.
void draw_lane_lines(const Ink& ink, const Box& box, const analysis::LaneTimeline& timeline,
                     const StepRange& range, const Program& program);

/// The stretch at a step; no_index when the warp is shorter.
std::uint32_t stretch_at(const analysis::LaneTimeline& timeline, double step);

/// The position of a step in a box, in pixels.
float x_of_step(const Box& box, const StepRange& range, double step);

}  // namespace warplens::app
