// The line that says and sets which moment the SM view shows: the play head's controls, the level of the
// times, and a bar from the first cycle to the last.
#pragma once

#include <cstdint>
#include <optional>

#include "app/ui/ink.h"
#include "app/views/view.h"

namespace warplens::app {

struct SmMoment {
    double at = 0, last = 1;     // of `last + 1` positions
    const char* unit = "cycle";  // "ns" of measured times
    bool can_choose_level = false;
    Level level = Level::ptx;
    bool can_play = false;
};

struct SmMomentOrders {
    std::optional<double> move_to;
    std::optional<Level> level;
};

/// At the cursor, over the width of the content region.
SmMomentOrders draw_sm_moment(ViewFrame& frame, const SmMoment& moment);

}  // namespace warplens::app
