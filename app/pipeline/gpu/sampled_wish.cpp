#include "app/pipeline/gpu/sampled_wish.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "app/pipeline/launch_run.h"

namespace warplens::app {

std::uint64_t warps_a_block(const LaunchGeometry& geometry) {
    return (static_cast<std::uint64_t>(geometry.threads_per_block()) + warp_size - 1) / warp_size;
}

std::uint64_t blocks_of_a_full_sm(const LoadedLaunch& launch) {
    const auto sms = static_cast<std::uint64_t>(std::max(launch.gpu->sm_count, 1));
    const analysis::Occupancy fit = launch_occupancy(launch.launch, *launch.gpu);
    return std::min((launch.launch.geometry.blocks() + sms - 1) / sms,
                    static_cast<std::uint64_t>(std::max(fit.blocks_per_sm, 1))) +
           1;
}

void sample(GpuWish& wish, const LoadedLaunch& launch, std::uint64_t blocks, std::uint64_t timed_warps) {
    const LaunchGeometry& geometry = launch.launch.geometry;
    wish.blocks = sample_blocks(geometry.blocks(), launch.gpu->sm_count, blocks);
    const std::uint64_t first =
        std::min(geometry.blocks(), std::max<std::uint64_t>(timed_warps / warps_a_block(geometry), 1));
    wish.timed.resize(first);
    std::iota(wish.timed.begin(), wish.timed.end(), std::uint64_t{0});
    std::ranges::copy_if(wish.blocks, std::back_inserter(wish.timed),
                         [&](std::uint64_t block) { return block >= first; });
}

}  // namespace warplens::app
