// The mouse over a timeline's plot, whatever its rows are: the wheel, drags that pan, drags over the plot
// that measure, drags over the axis that move the play head, clicks.
#pragma once

#include <optional>

#include "app/views/timeline/navigation.h"
#include "app/views/timeline/parts.h"

namespace warplens::app {

/// The wheel scrolls rows; with Ctrl it zooms to the mouse, with Shift it pans.
void take_wheel(TimelineNavigation& navigation, const Box& plot, ImVec2 mouse, float scale);

class TimelineDrag {
  public:
    struct Done {
        bool clicked = false;              // in the plot, without a drag
        std::optional<double> head;        // where the play head is dragged to
        std::optional<CycleView> measure;  // the range dragged so far
    };
    /// `end`: of the axis of time. The middle and the right button pan.
    Done take(const TimelinePlot& plot, const Box& axis, ImVec2 mouse, bool hovered, double end,
              TimelineNavigation& navigation);

  private:
    double pressed_at_ = 0;
    bool pressed_ = false, scrubbing_ = false;
};

}  // namespace warplens::app
