// Two runs on one axis of cycles: a bar for each, as long as the modelled SM was busy and divided by the
// states of its warps, with both finish lines and the difference between them.
#pragma once

#include <string_view>

#include "app/ui/ink.h"
#include "trace/schedule.h"

namespace warplens::app {

struct StateBar {
    std::string_view name;
    const trace::Schedule* schedule = nullptr;
};

float state_bars_height(const Ink& ink);
/// Bars from `left` to `right`, where the axis below them has cycle 0 and the end of the longer run.
/// `one_clock`: false for runs on different GPUs, whose cycles have no difference.
void draw_state_bars(const Ink& ink, Box box, float left, float right, const StateBar& before,
                     const StateBar& after, bool one_clock);

}  // namespace warplens::app
