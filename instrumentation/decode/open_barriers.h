// When barriers opened of which only the arrivals have clocks (BlockPlan::clock_of_arrival): the last arrival
// of the block's warps, and what a warp then takes to go on.
#pragma once

#include <span>
#include <vector>

#include "instrumentation/decode/block_table.h"
#include "instrumentation/decode/clock_fit.h"
#include "trace/measured.h"

namespace warplens::instrumentation {

/// From the last arrival at a barrier to a clock read behind it: the least in each of 48 recordings that have
/// both clocks is 50 to 57 cycles (sm_90, blocks of 1 to 32 warps), except for barriers of clusters.
inline constexpr std::uint32_t cycles_to_go_on = 50;

/// `warps` are those of one block; times count from each one's start. Sets MeasuredVisit::entered of the
/// visits behind such barriers, no later than the warp's next clock. Where the warps did not all come to the
/// same barrier, or went on before the last arrival, the visit has no times.
void open_barriers(const BlockTable& table, std::span<const trace::MeasuredWarp> warps,
                   std::span<const WarpClock> clocks, std::vector<trace::MeasuredVisit>& visits);

}  // namespace warplens::instrumentation
