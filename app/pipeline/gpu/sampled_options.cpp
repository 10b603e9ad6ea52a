#include "app/pipeline/gpu/sampled_options.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "app/pipeline/block_sample.h"

namespace warplens::app {

void sample(GpuRecordOptions& gpu_options, const LoadedLaunch& launch, std::uint64_t blocks,
            std::uint64_t timed_warps) {
    const LaunchGeometry& geometry = launch.launch.geometry;
    gpu_options.blocks = sample_blocks(geometry.blocks(), launch.gpu->sm_count, blocks);
    const std::uint64_t first = std::min(
        geometry.blocks(),
        std::max<std::uint64_t>(timed_warps / static_cast<std::uint64_t>(geometry.warps_per_block()), 1));
    gpu_options.timed.resize(first);
    std::iota(gpu_options.timed.begin(), gpu_options.timed.end(), std::uint64_t{0});
    std::ranges::copy_if(gpu_options.blocks, std::back_inserter(gpu_options.timed),
                         [&](std::uint64_t block) { return block >= first; });
}

}  // namespace warplens::app
