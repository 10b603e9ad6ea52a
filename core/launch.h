// LaunchGeometry: grid, block and dynamic shared memory of one launch, and the index arithmetic between
// blocks, threads, warps and lanes. Limits of a GPU are not checked here; see core/gpu_spec.h.
#pragma once

#include <cstdint>
#include <string>

#include "core/lane_mask.h"
#include "core/result.h"

namespace warplens {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;

    constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

/// Coordinates of element `linear` in a box of `extent`, x fastest.
constexpr Dim3 coordinates(std::uint64_t linear, Dim3 extent) {
    return {static_cast<std::uint32_t>(linear % extent.x),
            static_cast<std::uint32_t>(linear / extent.x % extent.y),
            static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

constexpr std::uint64_t linear_index(Dim3 at, Dim3 extent) {
    return at.x + std::uint64_t{extent.x} * (at.y + std::uint64_t{extent.y} * at.z);
}

struct LaunchGeometry {
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    Dim3 cluster = {};         // blocks of a cluster, which run at the same time; 1 x 1 x 1: no clusters
    bool cooperative = false;  // all blocks run at the same time, so that they may wait for each other

    constexpr std::uint64_t blocks() const { return grid.count(); }
    constexpr int threads_per_block() const { return static_cast<int>(block.count()); }
    constexpr int warps_per_block() const { return (threads_per_block() + warp_size - 1) / warp_size; }
    /// Lanes of a warp that hold a thread: all, except in the last warp of a block whose size is not a
    /// multiple of 32.
    constexpr LaneMask warp_lanes(int warp) const {
        return LaneMask::first(threads_per_block() - warp * warp_size);
    }
    friend constexpr bool operator==(const LaunchGeometry&, const LaunchGeometry&) = default;
};

/// "32 x 8" or "64 x 64 x 2"; one dimension alone prints as "4096".
std::string to_string(Dim3 extent);

}  // namespace warplens
