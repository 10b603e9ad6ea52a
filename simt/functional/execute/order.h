// Fences: instructions that only order memory accesses. The engine executes everything in order, so only the
// race detector uses them.
#pragma once

#include "simt/functional/block/warp.h"

namespace warplens::simt {

/// membar, fence. flags: 1 if the scope is larger than the block.
void execute_fence(Warp& warp, const DecodedOp& op, u32 mask);
}  // namespace warplens::simt
