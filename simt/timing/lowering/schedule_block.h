// Puts the operations of a block into the order in which the assembler issues them: those that others wait
// for long go first, as far as registers allow.
#pragma once

#include <vector>

#include "core/sm_timing.h"
#include "simt/timing/lowering/select_operations.h"

namespace warplens::simt::lowering {

struct ScheduleLimits {
    /// 32-bit registers a thread that the block may fill at once; what lives through it is taken off already.
    int registers = 32;
};

/// Keeps every dependence through values, the order of accesses that may meet in memory, of barriers and of
/// reads of the clock. What ends the block stays last.
std::vector<Issue> schedule_block(const Code& code, std::vector<Issue> issues, const SmTiming& timing,
                                  ScheduleLimits limits);

}  // namespace warplens::simt::lowering
