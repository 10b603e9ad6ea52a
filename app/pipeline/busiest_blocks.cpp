#include "app/pipeline/busiest_blocks.h"

#include <algorithm>
#include <set>

#include "app/pipeline/launch_run.h"
#include "app/pipeline/time_report.h"

namespace warplens::app {

bool same_work(const std::vector<BlockWork>& some, const std::vector<BlockWork>& grid) {
    return std::ranges::all_of(some, [&](const BlockWork& block) {
        const auto at = std::ranges::lower_bound(grid, block.block, {}, &BlockWork::block);
        return at != grid.end() && *at == block;
    });
}

void bound_steps(simt::RunOptions& options, const std::vector<BlockWork>& grid) {
    std::uint64_t longest = 0;
    for (const BlockWork& block : grid) longest = std::max(longest, block.longest_warp);
    options.max_steps_per_warp = std::min(options.max_steps_per_warp, longest + 1);
}

std::vector<simt::BlocksOfSm> busiest_sms_of(const LoadedLaunch& launch, const std::vector<BlockWork>& grid) {
    // Blocks that wait for each other end together.
    if (launch.launch.geometry.cooperative || grid.size() != launch.launch.geometry.blocks()) return {};
    return simt::busiest_sms(grid, launch.gpu->sm_count,
                             launch_occupancy(launch.launch, *launch.gpu).blocks_per_sm);
}

std::vector<std::uint64_t> blocks_of(const std::vector<simt::BlocksOfSm>& sms, std::uint64_t most) {
    std::set<std::uint64_t> blocks;
    for (const simt::BlocksOfSm& sm : sms)
        blocks.insert(sm.begin(),
                      sm.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(sm.size(), most)));
    return {blocks.begin(), blocks.end()};
}

Result<std::vector<BlockWork>> work_of_grid(LoadedLaunch launch, const ExecuteOptions& asked) {
    LaunchRun::Keep keep;
    keep.keep_report = false;
    keep.interrupted = asked.keep_interrupted;
    WARPLENS_TRY(auto run, LaunchRun::start_again(std::move(launch), std::move(keep)));
    simt::RunOptions options = options_again(asked, {});
    options.keep_work = true;
    WARPLENS_TRY(run->execute(options));
    return run->work();
}

Result<std::optional<BusiestRecording>> record_busiest_sms(LoadedLaunch launch,
                                                           const std::vector<BlockWork>& grid,
                                                           const ExecuteOptions& asked) {
    BusiestRecording made;
    made.sms = busiest_sms_of(launch, grid);
    if (made.sms.empty()) return std::nullopt;
    simt::RunOptions options = options_again(asked, blocks_of(made.sms, most_modelled_blocks));
    options.keep_work = true;
    bound_steps(options, grid);
    LaunchRun::Keep keep;
    keep.keep_trace = true;
    keep.interrupted = asked.keep_interrupted;
    keep.recorded.blocks = options.blocks;
    keep.recorded.memory_limit = most_traced_bytes;
    WARPLENS_TRY(auto run, LaunchRun::start_again(std::move(launch), std::move(keep)));
    WARPLENS_TRY(run->execute(options));
    if (!run->completed() || !same_work(run->work(), grid)) return std::nullopt;
    made.trace = run->take_trace(*run->report());
    return std::optional(std::move(made));
}

}  // namespace warplens::app
