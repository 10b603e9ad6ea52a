#include "app/pipeline/launch_shape.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace warplens::app {

namespace {

// CUDA programming guide, "Thread Block Clusters": 8 on any GPU, 16 if the kernel is allowed to.
constexpr std::uint64_t largest_cluster = 16;

}  // namespace

std::uint64_t CompiledShape::most_threads() const {
    return std::max(largest_block ? largest_block->count() : 0, exact_block ? exact_block->count() : 0);
}

/// Such as ".maxntid 256, 1, 1".
CompiledShape compiled_shape(const ptx::Function& entry) {
    CompiledShape shape;
    for (const std::string& directive : entry.performance_directives) {
        Dim3 of;
        char word[24] = {};
        if (std::sscanf(directive.c_str(), ".%23s %u , %u , %u", word, &of.x, &of.y, &of.z) < 2) continue;
        if (std::string_view(word) == "maxntid") shape.largest_block = of;
        if (std::string_view(word) == "reqntid") shape.exact_block = of;
        if (std::string_view(word) == "reqnctapercluster") shape.cluster = of;
    }
    return shape;
}

Status check_block(const CompiledShape& shape, const LaunchGeometry& geometry) {
    const auto threads = static_cast<std::uint64_t>(geometry.threads_per_block());
    if (shape.largest_block && threads > shape.largest_block->count())
        return fail("a block of {} threads cannot be launched: the kernel's __launch_bounds__ allow {}",
                    threads, shape.largest_block->count());
    if (shape.exact_block && threads != shape.exact_block->count())
        return fail("a block of {} threads cannot be launched: the kernel's __block_size__ asks for {}",
                    threads, shape.exact_block->count());
    return {};
}

Status settle_cluster(const CompiledShape& shape, LaunchGeometry& geometry) {
    if (shape.cluster) {
        if (geometry.cluster.count() > 1 && !(geometry.cluster == *shape.cluster))
            return fail("the launch asks for clusters of {}, and the kernel's __cluster_dims__ say {}",
                        to_string(geometry.cluster), to_string(*shape.cluster));
        geometry.cluster = *shape.cluster;
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
