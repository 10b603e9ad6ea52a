#include "app/pipeline/launch_shape.h"

#include <cstdio>

namespace warplens::app {

namespace {

// CUDA programming guide, "Thread Block Clusters": 8 on any GPU, 16 if the kernel is allowed to.
constexpr std::uint64_t largest_cluster = 16;

/// "PTX ISA: Cluster Dimension Directives": ".reqnctapercluster 4, 1, 1"; 0 where the launch decides.
Dim3 compiled_cluster(const ptx::Function& entry) {
    for (const std::string& directive : entry.performance_directives) {
        Dim3 of{0, 1, 1};
        char word[24] = {};
        if (std::sscanf(directive.c_str(), ".%23s %u , %u , %u", word, &of.x, &of.y, &of.z) >= 2 &&
            std::string_view(word) == "reqnctapercluster")
            return of;
    }
    return {0, 1, 1};
}

}  // namespace

Status settle_cluster(const ptx::Function& entry, LaunchGeometry& geometry) {
    const Dim3 compiled = compiled_cluster(entry);
    if (compiled.x != 0) {
        if (geometry.cluster.count() > 1 && !(geometry.cluster == compiled))
            return fail("the launch asks for clusters of {}, and the kernel's __cluster_dims__ say {}",
                        to_string(geometry.cluster), to_string(compiled));
        geometry.cluster = compiled;
    }
    const Dim3 of = geometry.cluster, grid = geometry.grid;
    if (of.count() > largest_cluster || of.count() == 0)
        return fail("a cluster of {} has {} blocks; a GPU takes up to {}", to_string(of), of.count(),
                    largest_cluster);
    if (grid.x % of.x != 0 || grid.y % of.y != 0 || grid.z % of.z != 0)
        return fail("a grid of {} blocks cannot be cut into clusters of {}: each extent must be a multiple",
                    to_string(grid), to_string(of));
    return {};
}

std::uint64_t resident_blocks(const analysis::Occupancy& fit, const GpuSpec& gpu) {
    return static_cast<std::uint64_t>(fit.blocks_per_sm) * static_cast<std::uint64_t>(gpu.sm_count);
}

Status check_cooperative(const LaunchGeometry& geometry, const analysis::Occupancy& fit, const GpuSpec& gpu) {
    const std::uint64_t room = resident_blocks(fit, gpu);
    if (!geometry.cooperative || room == 0 || geometry.blocks() <= room) return {};
    return fail(
        "a cooperative launch of {} blocks does not fit: {} holds {} of them at once ({} on each of "
        "{} SMs), and blocks that wait for each other must all be resident",
        geometry.blocks(), gpu.name, room, fit.blocks_per_sm, gpu.sm_count);
}

}  // namespace warplens::app
