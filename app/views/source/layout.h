// Layout of the source view's panes: side by side where it is wide, else one below the other.
#pragma once

#include <cstddef>
#include <vector>

#include "app/ui/theme.h"

namespace warplens::app {

bool is_side_by_side(const Theme& theme, ImVec2 room);
/// How many panes have room for a useful number of lines.
std::size_t panes_that_fit(const Theme& theme, ImVec2 room);
float pane_gap(const Theme& theme);
/// `wanted`: the width of each pane's longest line of code, in order; at least one. A pane that wants less
/// than its share leaves the rest to the others, and the last one takes what none wants.
std::vector<ImVec2> pane_sizes(const Theme& theme, ImVec2 room, const std::vector<float>& wanted);

}  // namespace warplens::app
