#include "simt/timing/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/warps/occupancy.h"
#include "simt/timing/timing_model.h"
#include "trace/query.h"

namespace warplens::simt {
namespace {

/// Resident blocks, within the limits that the what-if knobs keep.
Result<int> resident_blocks(const trace::Launch& launch, const GpuSpec& gpu, const TimingOptions& options) {
    analysis::OccupancyInput input;
    input.threads_per_block = launch.geometry.threads_per_block();
    input.registers_per_thread = static_cast<int>(launch.resources.registers_per_thread);
    input.shared_bytes_per_block =
        static_cast<int>(launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes);
    const analysis::Occupancy fit = analysis::occupancy(gpu, input);
    if (fit.blocks_per_sm == 0)
        return fail("{} cannot be launched on {}: {}", launch.kernel, gpu.name, fit.reason);
    const auto ignored = [&](analysis::Limiter limiter) {
        switch (limiter) {
            case analysis::Limiter::registers:
                return options.ignore_register_limit;
            case analysis::Limiter::shared_memory:
                return options.ignore_shared_limit;
            case analysis::Limiter::blocks:
                return options.ignore_block_limit;
            case analysis::Limiter::warps:
                return false;  // the number of slots is fixed per SM
        }
        return false;
    };
    int blocks = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < fit.blocks_allowed.size(); ++i) {
        if (!ignored(static_cast<analysis::Limiter>(i))) blocks = std::min(blocks, fit.blocks_allowed[i]);
    }
    if (options.max_resident_warps > 0)
        blocks = std::min(blocks, options.max_resident_warps / launch.geometry.warps_per_block());
    return std::max(blocks, 1);
}

/// The Trace's complete blocks with their warps, ascending.
std::vector<LaunchPlan::Block> blocks_of(const trace::Trace& trace) {
    std::vector<LaunchPlan::Block> blocks;
    for (std::uint32_t i = 0; i < trace.warps.size(); ++i) {
        if (blocks.empty() || blocks.back().block != trace.warps[i].block)
            blocks.push_back({trace.warps[i].block, i, 0});
        ++blocks.back().warp_count;
    }
    return blocks;
}

/// Steps of a block's warps: its approximate cost.
BlockWork work_of(const trace::Trace& trace, const LaunchPlan::Block& block) {
    BlockWork work{block.block, 0, 0};
    for (std::uint32_t i = 0; i < block.warp_count; ++i) {
        const std::uint64_t steps = trace::step_count(trace, trace.warps[block.first_warp + i]);
        work.steps += steps;
        work.longest_warp = std::max(work.longest_warp, steps);
    }
    return work;
}

/// The recorded blocks of one SM, with blocks distributed round robin: of the SMs with the most recorded
/// blocks the one with the most steps, because a launch ends with its slowest SM. Of a whole grid it is the
/// first: busiest_sms() found that the blocks hardly differ, and a report, which records one SM, takes that
/// one. If there are fewer than `enough`, recorded blocks of other SMs replace its missing ones.
std::vector<LaunchPlan::Block> blocks_of_one_sm(const trace::Trace& trace,
                                                const std::vector<LaunchPlan::Block>& recorded,
                                                std::uint64_t sm_count, std::uint64_t enough) {
    const bool whole_grid = recorded.size() == trace.launch.geometry.blocks();
    std::map<std::uint64_t, std::vector<LaunchPlan::Block>> by_sm;
    for (const auto& block : recorded) by_sm[block.block % sm_count].push_back(block);
    const std::vector<LaunchPlan::Block>* busiest = nullptr;
    std::uint64_t most_steps = 0;
    for (const auto& [sm, blocks] : by_sm) {
        if (busiest != nullptr && (whole_grid || blocks.size() < busiest->size())) continue;
        std::uint64_t steps = 0;
        for (const auto& block : blocks) steps += work_of(trace, block).steps;
        if (busiest != nullptr && blocks.size() == busiest->size() && steps <= most_steps) continue;
        busiest = &blocks;
        most_steps = steps;
    }
    std::vector<LaunchPlan::Block> blocks = *busiest;
    const std::uint64_t sm = blocks.front().block % sm_count;
    for (const auto& block : recorded) {
        if (blocks.size() >= enough) break;
        if (block.block % sm_count != sm) blocks.push_back(block);
    }
    return blocks;
}

/// Blocks after which the SM has a steady rate: twice the resident ones.
std::uint64_t enough_blocks(const LaunchPlan& plan) {
    return std::min(plan.blocks_on_sm, 2 * static_cast<std::uint64_t>(plan.resident_blocks));
}

std::string note_on_sample(const LaunchPlan& plan) {
    if (plan.sample_is_too_small())
        return fmt::format(
            "only {} of the {} blocks that are resident on an SM were sampled, so the cycles are an upper "
            "estimate: sample at least {}",
            plan.blocks.size(), plan.blocks_at_once(), plan.blocks_at_once());
    return fmt::format("{} of the {} blocks of one SM are modelled; the others continue at their rate",
                       plan.blocks.size(), plan.blocks_on_sm);
}

/// Everything but the blocks.
Result<LaunchPlan> plan_of_any_sm(const trace::Trace& trace, const GpuSpec& gpu, const SmTiming& timing,
                                  const TimingOptions& options) {
    LaunchPlan plan;
    WARPLENS_TRY(plan.resident_blocks, resident_blocks(trace.launch, gpu, options));
    plan.schedulers = options.schedulers > 0 ? options.schedulers : gpu.schedulers_per_sm;
    plan.sm_count = std::max(options.sm_count > 0 ? options.sm_count : gpu.sm_count, 1);
    plan.blocks_in_grid = trace.launch.geometry.blocks();
    const auto sms = static_cast<std::uint64_t>(plan.sm_count);
    plan.blocks_on_sm = (plan.blocks_in_grid + sms - 1) / sms;
    plan.active_sms = static_cast<int>(std::min(sms, plan.blocks_in_grid));
    plan.warps_per_block = static_cast<std::uint32_t>(trace.launch.geometry.warps_per_block());
    const auto shared =
        trace.launch.resources.shared_static_bytes + trace.launch.geometry.dynamic_shared_bytes;
    const auto reserved = shared + static_cast<std::uint32_t>(gpu.reserved_shared_bytes_per_block);
    const auto taken = static_cast<std::uint64_t>(plan.resident_blocks) * reserved;
    constexpr std::uint32_t least_l1 = 32 * 1024;
    plan.l1_bytes =
        timing.l1_bytes > taken + least_l1 ? timing.l1_bytes - static_cast<std::uint32_t>(taken) : least_l1;
    return plan;
}

/// The SMs that may end last; empty if the Trace does not tell.
std::vector<BlocksOfSm> sms_to_time(const trace::Trace& trace, const std::vector<LaunchPlan::Block>& recorded,
                                    const LaunchPlan& plan, const TimingOptions& options,
                                    const std::vector<BlocksOfSm>& named) {
    if (!named.empty() && options.sm_count == 0) return named;
    if (recorded.size() != plan.blocks_in_grid || trace.launch.geometry.cooperative) return {};
    std::vector<BlockWork> grid;
    for (const LaunchPlan::Block& block : recorded) grid.push_back(work_of(trace, block));
    return busiest_sms(grid, plan.sm_count, plan.resident_blocks);
}

/// In the order in which the SM receives them.
std::vector<LaunchPlan::Block> recorded_of(const std::vector<LaunchPlan::Block>& recorded,
                                           const BlocksOfSm& sm) {
    std::vector<LaunchPlan::Block> blocks;
    for (const std::uint64_t block : sm) {
        const auto at = std::ranges::lower_bound(recorded, block, {}, &LaunchPlan::Block::block);
        if (at != recorded.end() && at->block == block) blocks.push_back(*at);
    }
    return blocks;
}

std::uint64_t steps_of(const trace::Trace& trace, const std::vector<LaunchPlan::Block>& blocks) {
    std::uint64_t steps = 0;
    for (const LaunchPlan::Block& block : blocks) steps += work_of(trace, block).steps;
    return steps;
}

/// Instructions stand for accesses only roughly, so blocks that do about as many are taken to be alike.
constexpr double alike = 0.9;

/// The blocks are known: what follows from them. `launch_steps`: 0 where they are not known; the other blocks
/// are then taken to be like these.
void complete(LaunchPlan& plan, const trace::Trace& trace, std::uint64_t launch_steps) {
    const std::uint64_t steps = steps_of(trace, plan.blocks);
    plan.launch_work = double(plan.blocks_in_grid) / double(std::max<std::size_t>(plan.blocks.size(), 1));
    // SMs with fewer blocks are busy for a part of the time: 192 blocks on 132 SMs are 96 busy SMs.
    double busy = double(plan.blocks_in_grid) / double(plan.blocks_on_sm);
    const double share =
        launch_steps > 0 && steps > 0 ? double(launch_steps) / double(steps) / plan.launch_work : 1;
    if (share < alike) {
        plan.launch_work = std::max(1.0, plan.launch_work * share);
        busy *= share;
    }
    plan.busy_sms = std::clamp(int(std::lround(busy)), 1, plan.active_sms);
    if (plan.blocks.size() < plan.blocks_on_sm) plan.notes.push_back(note_on_sample(plan));
    for (const auto& block : plan.blocks) {
        for (std::uint32_t i = 0; i < block.warp_count; ++i) plan.warps.push_back(block.first_warp + i);
    }
    std::ranges::sort(plan.warps);
}

}  // namespace

std::vector<std::uint64_t> blocks_of_first_sm(std::uint64_t blocks_in_grid, int sm_count,
                                              std::uint64_t limit) {
    std::vector<std::uint64_t> blocks;
    const auto step = static_cast<std::uint64_t>(std::max(sm_count, 1));
    for (std::uint64_t block = 0; block < blocks_in_grid && blocks.size() < limit; block += step)
        blocks.push_back(block);
    return blocks;
}

double most_extreme_of(int sms) {
    constexpr double all_sms = 132;
    return sms < 2 ? 0 : std::min(1.0, std::sqrt(std::log(double(sms)) / std::log(all_sms)));
}

Result<std::vector<LaunchPlan>> plan_launch(const trace::Trace& trace, const GpuSpec& gpu,
                                            const SmTiming& timing, const TimingOptions& options,
                                            const std::vector<BlocksOfSm>& sms, std::uint64_t launch_steps) {
    WARPLENS_TRY(const LaunchPlan frame, plan_of_any_sm(trace, gpu, timing, options));
    const std::vector<LaunchPlan::Block> recorded = blocks_of(trace);
    if (recorded.empty()) return fail("{}: the trace contains no block to time", trace.launch.kernel);
    if (recorded.size() == frame.blocks_in_grid) launch_steps = steps_of(trace, recorded);
    std::vector<LaunchPlan> plans;
    for (const BlocksOfSm& sm : sms_to_time(trace, recorded, frame, options, sms)) {
        LaunchPlan plan = frame;
        plan.blocks_on_sm = sm.size();
        plan.blocks = recorded_of(recorded, sm);
        if (plan.blocks.empty()) continue;
        complete(plan, trace, launch_steps);
        plans.push_back(std::move(plan));
    }
    if (!plans.empty()) return plans;
    LaunchPlan plan = frame;
    plan.blocks = blocks_of_one_sm(trace, recorded, static_cast<std::uint64_t>(std::max(gpu.sm_count, 1)),
                                   enough_blocks(plan));
    if (plan.blocks.size() > plan.blocks_on_sm) plan.blocks.resize(plan.blocks_on_sm);
    complete(plan, trace, launch_steps);
    plans.push_back(std::move(plan));
    return plans;
}

}  // namespace warplens::simt
