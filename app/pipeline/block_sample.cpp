#include "app/pipeline/block_sample.h"

#include <algorithm>
#include <set>

#include "app/pipeline/launch_run.h"
#include "simt/timing/timing_model.h"

namespace warplens::app {

std::vector<std::uint64_t> spread_blocks(std::uint64_t blocks_in_grid, std::uint64_t count) {
    std::set<std::uint64_t> chosen;
    if (blocks_in_grid == 0) return {};
    count = std::clamp<std::uint64_t>(count, 1, blocks_in_grid);
    for (std::uint64_t i = 0; i < count; ++i) {
        chosen.insert(count == 1 ? 0 : i * (blocks_in_grid - 1) / (count - 1));
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<std::uint64_t> sample_blocks(std::uint64_t blocks_in_grid, int sm_count, std::uint64_t count) {
    if (blocks_in_grid == 0) return {};
    count = std::clamp<std::uint64_t>(count, 1, blocks_in_grid);
    if (count == blocks_in_grid) return spread_blocks(blocks_in_grid, count);
    const auto of_sm =
        simt::blocks_of_first_sm(blocks_in_grid, sm_count, std::max<std::uint64_t>(count - 1, 1));
    std::set<std::uint64_t> chosen(of_sm.begin(), of_sm.end());
    if (count > 1) chosen.insert(blocks_in_grid - 1);
    // The rest of the budget is spread over the grid; both ends are chosen already.
    if (chosen.size() < count)
        for (const std::uint64_t block : spread_blocks(blocks_in_grid, count - chosen.size() + 2))
            chosen.insert(block);
    return {chosen.begin(), chosen.end()};
}

std::vector<std::uint64_t> blocks_in_reach(const LaunchGeometry& geometry, int sm_count) {
    // The shortest kernel takes about a quarter of a minute for them on two cores, and a report executes a
    // launch several times.
    constexpr std::uint64_t most_warps = std::uint64_t{1} << 26, sampled_blocks = 4096;
    const auto warps = static_cast<std::uint64_t>(geometry.warps_per_block());
    if (geometry.cooperative || geometry.blocks() <= most_warps / warps) return {};
    return sample_blocks(geometry.blocks(), sm_count, sampled_blocks);
}

std::uint64_t blocks_that_fill(const trace::Launch& launch, const GpuSpec& gpu) {
    const auto sms = static_cast<std::uint64_t>(std::max(gpu.sm_count, 1));
    return sms * static_cast<std::uint64_t>(std::max(launch_occupancy(launch, gpu).blocks_per_sm, 1));
}

std::uint64_t blocks_of_a_full_sm(const trace::Launch& launch, const GpuSpec& gpu) {
    const auto sms = static_cast<std::uint64_t>(std::max(gpu.sm_count, 1));
    return std::min((launch.geometry.blocks() + sms - 1) / sms, blocks_that_fill(launch, gpu) / sms) + 1;
}

std::uint64_t blocks_for_picture(const PictureBudget& budget, const trace::Launch& launch, const GpuSpec& gpu,
                                 double steps_per_block) {
    const std::uint64_t grid = launch.geometry.blocks();
    const auto within = [&](double steps) { return static_cast<std::uint64_t>(steps / steps_per_block); };
    std::uint64_t count = std::max(within(budget.steps),
                                   std::min(blocks_of_a_full_sm(launch, gpu), within(budget.full_sm_steps)));
    count = std::min(std::max<std::uint64_t>(count, 2), grid);
    return budget.block_limit > 0 ? std::min(count, budget.block_limit) : count;
}

}  // namespace warplens::app
