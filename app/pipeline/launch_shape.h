// LaunchShape: what a kernel's author fixed of its launches, and how a launch's blocks depend on each other —
// clusters, as the kernel or its header request them, and whether a cooperative launch fits — checked against
// the grid and the GPU.
#pragma once

#include <optional>

#include "analysis/warps/occupancy.h"
#include "core/gpu_spec.h"
#include "core/launch.h"
#include "core/result.h"
#include "ptx/module.h"

namespace warplens::app {

/// As compiled; nothing: not declared.
struct CompiledShape {
    std::optional<Dim3> largest_block;  // .maxntid, of __launch_bounds__
    std::optional<Dim3> exact_block;    // .reqntid, of __block_size__
    std::optional<Dim3> cluster;        // .reqnctapercluster, of __cluster_dims__

    std::uint64_t most_threads() const;  // of a block; 0: nothing said
};

/// "PTX ISA: Performance-Tuning Directives" and "Cluster Dimension Directives".
CompiledShape compiled_shape(const ptx::Function& entry);

/// Whether a block of that many threads may be launched.
Status check_block(const CompiledShape& shape, const LaunchGeometry& geometry);

/// Puts the cluster that the kernel was compiled for into the geometry. Fails when the launch asks for
/// another one, when the grid is not a multiple of it, or when it is larger than any GPU takes.
Status settle_cluster(const CompiledShape& shape, LaunchGeometry& geometry);

/// Blocks that the GPU holds at once.
std::uint64_t resident_blocks(const analysis::Occupancy& fit, const GpuSpec& gpu);

/// A cooperative launch must fit as a whole: the error names both numbers.
Status check_cooperative(const LaunchGeometry& geometry, const analysis::Occupancy& fit, const GpuSpec& gpu);

}  // namespace warplens::app
