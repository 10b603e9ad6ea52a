// Orders the operations of a block as the assembler issues them: those with the longest dependent chains
// first, as far as registers allow.
#pragma once

#include <vector>

#include "core/sm_timing.h"
#include "simt/timing/lowering/select_operations.h"

namespace warplens::simt::lowering {

struct ScheduleLimits {
    /// 32-bit registers per thread for the block's own values; those that are live through it are already
    /// subtracted.
    int registers = 32;
};

/// Keeps every dependence through values, the order of accesses that may alias, of barriers and of clock
/// reads. The operation that ends the block stays last.
std::vector<Issue> schedule_block(const Code& code, std::vector<Issue> issues, const SmTiming& timing,
                                  ScheduleLimits limits);

}  // namespace warplens::simt::lowering
