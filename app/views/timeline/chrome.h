// The frame around a timeline's plot, for any kind of rows: the title's line, the legend and where the
// numbers come from, the room of the side panel, the axes; and the mouse and the wheel over it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/legend.h"
#include "app/views/timeline/navigation.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// The legend and where the numbers come from, on one line where both fit; takes them off `all`.
void draw_timeline_foot(const ViewFrame& frame, const Ink& ink, Box& all,
                        const std::vector<LegendEntry>& entries, const std::string& provenance);

/// Takes the side panel's room off `all`, where there is enough of it; it begins below what others have taken
/// of the first line, which then takes nothing of the title's.
Box take_timeline_side(const Ink& ink, Box& all, float& taken);

/// The longest wording that stays on one line of `room`, where height is dear; takes it off `all`.
void draw_timeline_title(const ViewFrame& frame, Box& all, std::span<const std::string> wordings, float room);

/// The model's reason for the missing schedule, as a sentence.
std::string absent_sentence(const std::string& absent);

struct TimelineArea {
    Box gutter, axis, strip, plot;  // the names, the time, a line of marks below it, the rows
    bool hovered = false;
    ImVec2 mouse{-1, -1};
};
/// Lays `all` out and takes the wheel.
TimelineArea begin_timeline_plot(ViewFrame& frame, const Ink& ink, Box all, TimelineNavigation& navigation);

}  // namespace warplens::app
