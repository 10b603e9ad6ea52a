// What the lanes view says of a warp and of a place in it.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/warps/lane_timeline.h"

namespace warplens::app {

/// "Warp 0 of block 0 diverges twice over 150 steps; on average 20.61 of 32 lanes are active". `where`: which
/// warp.
std::string lane_title(const analysis::LaneTimeline& timeline, const std::string& where);

/// Of a lane in one stretch, at a step: "Lane 3 is on here, line 14".
std::string lane_state_words(const analysis::LaneTimeline& timeline, const analysis::LaneStretch& stretch,
                             std::uint64_t step, int lane);

/// The lanes that their predicate turns off at a step.
LaneMask predicated_off(const analysis::LaneTimeline& timeline, std::uint64_t step);

}  // namespace warplens::app
