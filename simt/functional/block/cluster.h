// Cluster: the blocks that run together and can access each other's shared memory, and their common barrier.
// A block's position in its cluster: core/cluster.h.
#pragma once

#include <vector>

#include "core/cluster.h"
#include "simt/functional/decode/decoded_op.h"

namespace warplens::simt {

class BlockRunner;

struct Cluster {
    std::vector<BlockRunner*> blocks;  // by rank
    u32 arrived = 0;                   // threads, in the barrier's current phase

    /// Completes the phase when every thread that has not exited has arrived.
    void release_if_complete();
};

constexpr u32 coordinate(Dim3 at, u32 axis) { return axis == 0 ? at.x : axis == 1 ? at.y : at.z; }

}  // namespace warplens::simt
