// ClockFit: from the clocks of the SMs, 32 bits each and of no common zero, to one time: each SM's cycles
// counted from its first warp's start, the offsets between the SMs by the global timer, and the clock's rate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/measured.h"

namespace warplens::instrumentation {

/// What a warp's head says of time.
struct WarpClock {
    std::uint16_t sm = 0;
    std::uint32_t block = 0;           // number of the block among those decoded: warps of one stand together
    std::uint32_t start = 0, end = 0;  // low halves of the SM's clock
    std::uint64_t timer = 0;           // ns, beside `end`; 0: not read
};

struct ClockFit {
    std::vector<std::uint32_t> begins;  // one per warp, in the order given: cycles from its SM's zero
    std::vector<trace::MeasuredSm> sms;
    double clock_hz = 0;
    double timer_step_ns = 0;
};

/// Starts of warps whose SM gave no timer are placed within 2^31 cycles of each other.
ClockFit fit_clocks(std::span<const WarpClock> warps);

}  // namespace warplens::instrumentation
