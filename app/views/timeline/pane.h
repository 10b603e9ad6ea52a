// The timeline's panes: the modelled SM, the measured SMs, and both side by side. view.cpp chooses one of
// them and gives it the view's room.
#pragma once

#include <memory>
#include <optional>

#include "app/views/view.h"

namespace warplens::app {

class TimelinePane {
  public:
    virtual ~TimelinePane() = default;
    /// From the cursor to the end of the content region; `taken` pixels at the right of the first line belong
    /// to the control that switches between panes.
    virtual void draw(ViewFrame& frame, float taken) = 0;
    /// What is zoomed to; nothing when all is shown.
    virtual std::optional<WantedCycles> shown_cycles() const = 0;
};

std::unique_ptr<TimelinePane> make_modelled_timeline();
/// Of a Scene whose trace holds measured times.
std::unique_ptr<TimelinePane> make_measured_timeline();
/// The same, next to a modelled schedule.
std::unique_ptr<TimelinePane> make_paired_timeline();

}  // namespace warplens::app
