// A sweep over two parameters as a heat map, and the heading that every chart of a sweep has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/sweep.h"
#include "app/ui/ink.h"
#include "app/views/sweep/drawing.h"

namespace warplens::app {

/// The metric's name, unit and provenance; takes its room off the top of the box.
void draw_chart_heading(const Ink& ink, Box& box, const Sweep& sweep, std::size_t metric);

/// With another run's sweep both are drawn on one scale, and cells that differ are outlined. Returns the row
/// of the sweep under the mouse.
std::optional<std::size_t> draw_sweep_heatmap(const Ink& ink, Box box, const Sweep& sweep, std::size_t metric,
                                              const SweepMarks& marks, std::optional<ImVec2> mouse);

}  // namespace warplens::app
