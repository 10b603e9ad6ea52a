#include "simt/timing/launch_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warplens::simt {
namespace {

/// Cycles from one block's departure to the next in the steady middle of the schedule.
double cycles_per_block(const trace::Schedule& schedule, int resident) {
    std::vector<std::uint32_t> departures;
    for (const auto& block : schedule.blocks) departures.push_back(block.departure);
    std::sort(departures.begin(), departures.end());
    const auto first = static_cast<std::size_t>(resident) - 1;
    if (departures.size() >= 2 * static_cast<std::size_t>(resident))
        return double(departures.back() - departures[first]) / double(departures.size() - 1 - first);
    // Hardly more than one wave: the average over the whole schedule.
    return double(departures.back()) / double(departures.size());
}

/// A warp's mean cycles of waits for memory. At a barrier it waits for others, which wait for memory as much
/// as these do.
double waits_for_memory(const trace::ScheduleTotals& totals, std::size_t warps) {
    double all = 0;
    for (const WarpStateInfo& row : warp_states) all += double(totals.states[row.state]);
    const double at_barriers = double(totals.states[WarpState::barrier]);
    if (warps == 0 || at_barriers >= all) return 0;
    const double for_memory = double(totals.states[WarpState::long_scoreboard]) +
                              double(totals.states[WarpState::drain]) +
                              double(totals.states[WarpState::membar]);
    return for_memory * all / (all - at_barriers) / double(warps);
}

/// Cycles by which the SM that ends last is behind the mean one, which the schedule is. Waits differ by
/// chance, and so do their sums, by the root of what was waited for: 13 cycles for each root of a cycle
/// (h200_active_cycles.csv: longest less mean SM, less half of what clocks differ by).
double slowest_behind_mean(const trace::Schedule& schedule, const LaunchPlan& plan) {
    constexpr double for_each_root = 13;
    const double waits = waits_for_memory(schedule.totals, schedule.warps.size());
    const double by_chance = most_extreme_of(plan.active_sms) * for_each_root * std::sqrt(waits);
    // Where blocks differ in work the schedule is the busiest SM's, which is behind already: the deviations
    // of both causes add up by their squares.
    const double work_of_others = plan.launch_work * double(plan.blocks.size()) / double(plan.blocks_in_grid);
    const double by_work = double(schedule.totals.cycles) * std::max(0.0, 1 - work_of_others);
    return std::hypot(by_chance, by_work) - by_work;
}

}  // namespace

double clocks_apart(const SmTiming& timing, double cycles) {
    constexpr double settled = 30'000;
    return timing.clock_drift * settled * (1 - std::exp(-cycles / settled));
}

double more_blocks_take(const SmTiming& timing, double sm_cycles) {
    constexpr double none_until = 1500, settled = 3000;
    return timing.more_blocks_overhead * (1 - std::exp(-std::max(0.0, sm_cycles - none_until) / settled));
}

trace::LaunchTime launch_time(const trace::Schedule& schedule, const LaunchPlan& plan, const GpuSpec& gpu,
                              const SmTiming& timing, const MemorySystem& memory, double retirement_lag) {
    trace::LaunchTime time;
    time.blocks_on_sm = plan.blocks_on_sm;
    time.blocks_modelled = plan.blocks.size();
    time.sm_cycles = double(schedule.totals.cycles);
    if (time.blocks_modelled < time.blocks_on_sm) {
        const int resident = std::min<int>(plan.resident_blocks, static_cast<int>(plan.blocks.size()));
        time.sm_cycles +=
            double(time.blocks_on_sm - time.blocks_modelled) * cycles_per_block(schedule, resident);
    }
    time.overhead_cycles =
        timing.launch_overhead + clocks_apart(timing, timing.launch_overhead + time.sm_cycles);
    if (plan.blocks_on_sm > 1) time.overhead_cycles += more_blocks_take(timing, time.sm_cycles);
    time.atomic_cycles = memory.atomic_cycles() * double(time.blocks_on_sm) / double(time.blocks_modelled);
    time.dram_bytes = memory.dram_bytes() * plan.launch_work;
    time.l2_bytes = memory.l2_bytes() * plan.launch_work;
    if (gpu.dram_bytes_per_second > 0 && timing.clock_hz > 0)
        time.memory_cycles = time.dram_bytes / gpu.dram_bytes_per_second * timing.clock_hz;
    // The SM may finish before others, before its blocks are retired or its atomics complete.
    const double atomics_lag = memory.atomics_done() - double(schedule.totals.cycles);
    const double others_lag = std::max(retirement_lag, slowest_behind_mean(schedule, plan));
    time.drain_cycles = std::max(others_lag, atomics_lag);
    time.drains_atomics = atomics_lag > others_lag;
    time.cycles = time.overhead_cycles + time.sm_cycles + time.drain_cycles;
    return time;
}

}  // namespace warplens::simt
