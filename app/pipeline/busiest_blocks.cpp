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

namespace {

/// Executes the blocks of `options` and keeps the trace of `recorded`.
Result<std::unique_ptr<LaunchRun>> record_blocks(LoadedLaunch launch, std::vector<std::uint64_t> recorded,
                                                 bool interrupted, simt::RunOptions options) {
    LaunchRun::Keep keep;
    keep.keep_trace = true;
    keep.interrupted = interrupted;
    keep.recorded.blocks = std::move(recorded);
    keep.recorded.memory_limit = most_traced_bytes;
    options.keep_work = true;
    WARPLENS_TRY(auto run, LaunchRun::start_again(std::move(launch), std::move(keep)));
    WARPLENS_TRY(run->execute(options));
    return run;
}

}  // namespace

Result<std::optional<BusiestRecording>> record_busiest_sms(LoadedLaunch launch,
                                                           const std::vector<BlockWork>& grid,
                                                           const ExecuteOptions& asked) {
    BusiestRecording made;
    made.sms = busiest_sms_of(launch, grid);
    if (made.sms.empty()) return std::nullopt;
    const std::vector<std::uint64_t> blocks = blocks_of(made.sms, most_modelled_blocks);
    simt::RunOptions alone = options_again(asked, blocks);
    bound_steps(alone, grid);
    WARPLENS_TRY(auto run, record_blocks(launch, blocks, asked.keep_interrupted, std::move(alone)));
    if (!run->completed() || !same_work(run->work(), grid)) {
        // They wait for others, or share work with them.
        WARPLENS_TRY(run, record_blocks(std::move(launch), blocks, asked.keep_interrupted,
                                        options_again(asked, asked.blocks)));
        if (!run->completed()) return std::nullopt;
    }
    made.trace = run->take_trace(*run->report());
    return std::optional(std::move(made));
}

}  // namespace warplens::app
