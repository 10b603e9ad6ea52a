// LaunchShape: how a launch's blocks depend on each other — clusters, as the kernel's directives or its
// header request them, and whether a cooperative launch fits — checked against the grid and the GPU.
#pragma once

#include "analysis/warps/occupancy.h"
#include "core/gpu_spec.h"
#include "core/launch.h"
#include "core/result.h"
#include "ptx/module.h"

namespace warplens::app {

/// Puts the cluster that the kernel was compiled for (`__cluster_dims__`) into the geometry. Fails when the
/// launch asks for another one, when the grid is not a multiple of it, or when it is larger than any GPU
/// takes.
Status settle_cluster(const ptx::Function& entry, LaunchGeometry& geometry);

/// Blocks that the GPU holds at once.
std::uint64_t resident_blocks(const analysis::Occupancy& fit, const GpuSpec& gpu);

/// A cooperative launch must fit as a whole: the error names both numbers.
Status check_cooperative(const LaunchGeometry& geometry, const analysis::Occupancy& fit, const GpuSpec& gpu);

}  // namespace warplens::app
