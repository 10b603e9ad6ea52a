// Fences: instructions that only put memory accesses in order. The engine executes everything in order
// anyway, so they matter to the search for races alone.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// membar, fence. flags: 1 when it reaches beyond the block.
void execute_fence(Warp& warp, const DecodedOp& op, u32 mask);
}  // namespace warplens::simt
