#include "simt/functional/execute/order.h"

#include "simt/functional/block/block_runner.h"
#include "simt/functional/races/block_races.h"

namespace warplens::simt {

void execute_fence(Warp& warp, const DecodedOp& op, u32) {
    if (warp.watch_races) warp.block->races().fence(warp, (op.flags & 1) != 0);
}

}  // namespace warplens::simt
