// Cluster: the blocks that run together and can reach each other's shared memory, and their common barrier;
// with it, where a block stands in its cluster. A grid without clusters has one block in each.
#pragma once

#include <vector>

#include "core/launch.h"
#include "simt/functional/decoded_op.h"

namespace warplens::simt {

class BlockRunner;

struct Cluster {
    std::vector<BlockRunner*> blocks;  // by rank
    u32 arrived = 0;                   // threads, at the barrier's present phase

    /// Completes the phase when every thread that has not exited has arrived.
    void release_if_complete();
};

/// Where one block stands. "PTX ISA: Special Registers: %clusterid, %cluster_ctaid, %cluster_ctarank".
struct ClusterPlace {
    Dim3 cluster;  // of the grid of clusters
    Dim3 block;    // within the cluster
    u32 rank = 0;
};
ClusterPlace place_in_cluster(u64 linear_block, const LaunchGeometry& geometry);
Dim3 clusters_of(const LaunchGeometry& geometry);
/// Linear indices of a cluster's blocks, by rank.
std::vector<u64> blocks_of_cluster(u64 linear_cluster, const LaunchGeometry& geometry);

constexpr u32 coordinate(Dim3 at, u32 axis) { return axis == 0 ? at.x : axis == 1 ? at.y : at.z; }

}  // namespace warplens::simt
