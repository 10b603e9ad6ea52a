// Where two runs finish, as lines over the rows of the current one, and the difference between them.
// state_bars.h draws what the modelled time consisted of.
#pragma once

#include "app/views/timeline/parts.h"

namespace warplens::app {

/// A run's name, and its end on the plot's axis.
struct Finish {
    std::string_view name;
    double end = 0;
};

/// `difference`: the size of the gap in words, "6,228 cycles"; empty where something else names it.
/// `one_clock`: false where the ends are times of different clocks, which have no difference.
void draw_finish_lines(const TimelinePlot& plot, const Box& axis, const Finish& before, const Finish& after,
                       const std::string& difference, bool one_clock = true);

}  // namespace warplens::app
