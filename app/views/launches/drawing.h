// The drawing of a launch tree: a row of nodes for each level, the host's grid on top, and lines from the
// grids that launch to those that they launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/launch_tree.h"
#include "app/ui/ink.h"
#include "app/ui/legend.h"

namespace warplens::app {

struct LaunchDrawing {
    const Ink& ink;
    const analysis::LaunchTree& tree;
    const std::vector<analysis::LaunchGroup>& groups;
    std::uint32_t chosen = no_index;  // group outlined
    std::optional<ImVec2> mouse;
};

std::vector<LegendEntry> launch_legend(const Theme& theme);
/// The height below which rows are left out, in pixels.
float launch_tree_height(const LaunchDrawing& drawing, float width);
/// Returns the group under the mouse; no_index: none.
std::uint32_t draw_launch_tree(const LaunchDrawing& drawing, const Box& box);

}  // namespace warplens::app
