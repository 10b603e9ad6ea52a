// The frame around a timeline's plot, for any kind of rows: the title, the legend and the provenance of the
// numbers, the room of the side panel, the axes; and the mouse and the wheel over it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/legend.h"
#include "app/views/timeline/navigation.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// Whether the legend leaves the plot enough of `all`.
bool legend_fits(const Theme& theme, const Ink& ink, const Box& all, const std::vector<LegendEntry>& entries);

/// The legend and the provenance of the numbers, on one line if both fit; takes their room off `all`.
void draw_timeline_foot(const ViewFrame& frame, const Ink& ink, Box& all,
                        const std::vector<LegendEntry>& entries, const std::string& provenance);

/// Takes the side panel's room off `all`, if there is enough. The panel begins below the controls of the
/// first line, which then do not shorten the title.
Box take_timeline_side(const Ink& ink, Box& all, float& taken);

/// If height is scarce, the longest wording that fits on one line of `room`; takes it off `all`.
void draw_timeline_title(const ViewFrame& frame, Box& all, std::span<const std::string> wordings, float room);

struct TimelineArea {
    Box gutter, axis, strip, plot;  // the names, the time, a line of marks below it, the rows
    bool hovered = false;
    ImVec2 mouse{-1, -1};
};
/// Lays `all` out and handles the wheel.
TimelineArea begin_timeline_plot(ViewFrame& frame, const Ink& ink, Box all, TimelineNavigation& navigation);

}  // namespace warplens::app
