// The drawing of a launch tree: a row of nodes for each level, the host's grid on top, and lines from the
// grids that launch to those that they launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
    std::string_view mark = "node";  // of its hit boxes

    /// What a drawing of two runs adds. Both are drawn at one scale.
    struct OtherRun {
        const std::vector<analysis::LaunchGroup>& groups;
        std::vector<std::uint32_t> match;  // per group of this run, the other's; no_index: none
        std::string_view name;
        std::uint64_t most_steps = 0;  // the length of a full bar: all grids of the run with more steps
        bool low = false;              // one of the runs has no room for high nodes
        int size = 0;                  // of the words, for which both have room: see launch_tree_size
    };
    std::optional<OtherRun> other;
};

std::vector<LegendEntry> launch_legend(const Theme& theme);
/// Of two runs, one drawing of which is `after`.
std::vector<LegendEntry> launch_legend_of_two(const Theme& theme, const LaunchDrawing& after);
/// The height below which rows are left out, in pixels.
float launch_tree_height(const LaunchDrawing& drawing, float width);
/// The height that nodes with the largest words take.
float largest_launch_tree_height(const LaunchDrawing& drawing, float width);
/// The largest of the sizes of words, from 0 on, for which all nodes have room side by side.
int launch_tree_size(const LaunchDrawing& drawing, const Box& box);
/// Returns the group under the mouse; no_index: none.
std::uint32_t draw_launch_tree(const LaunchDrawing& drawing, const Box& box);

}  // namespace warplens::app
