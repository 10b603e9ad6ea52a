// The place of a block in its cluster: index arithmetic between blocks, clusters and ranks. A grid without
// clusters has one block in each. "PTX ISA: Special Registers: %clusterid, %cluster_ctaid, %cluster_ctarank".
#pragma once

#include <vector>

#include "core/launch.h"

namespace warplens {

struct ClusterPlace {
    Dim3 cluster;  // of the grid of clusters
    Dim3 block;    // within the cluster
    std::uint32_t rank = 0;
};

constexpr ClusterPlace place_in_cluster(std::uint64_t linear_block, const LaunchGeometry& geometry) {
    const Dim3 at = coordinates(linear_block, geometry.grid), of = geometry.cluster;
    ClusterPlace place;
    place.cluster = {at.x / of.x, at.y / of.y, at.z / of.z};
    place.block = {at.x % of.x, at.y % of.y, at.z % of.z};
    place.rank = static_cast<std::uint32_t>(linear_index(place.block, of));
    return place;
}

constexpr Dim3 clusters_of(const LaunchGeometry& geometry) {
    const Dim3 grid = geometry.grid, cluster = geometry.cluster;
    return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
}

constexpr std::uint64_t linear_cluster(std::uint64_t linear_block, const LaunchGeometry& geometry) {
    return linear_index(place_in_cluster(linear_block, geometry).cluster, clusters_of(geometry));
}

/// Linear indices of a cluster's blocks, by rank.
inline std::vector<std::uint64_t> blocks_of_cluster(std::uint64_t cluster, const LaunchGeometry& geometry) {
    const Dim3 of = geometry.cluster, at = coordinates(cluster, clusters_of(geometry));
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t rank = 0; rank < of.count(); ++rank) {
        const Dim3 in = coordinates(rank, of);
        blocks.push_back(
            linear_index({at.x * of.x + in.x, at.y * of.y + in.y, at.z * of.z + in.z}, geometry.grid));
    }
    return blocks;
}

/// Rank and offset in an address of Space::shared_cluster.
inline constexpr std::uint32_t rank_shift = 24;
constexpr std::uint32_t rank_of(std::uint64_t address) {
    return static_cast<std::uint32_t>(address >> rank_shift);
}

}  // namespace warplens
