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

}  // namespace

double clocks_apart(const SmTiming& timing, double cycles) {
    constexpr double settled = 30'000;
    return timing.clock_drift * settled * (1 - std::exp(-cycles / settled));
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
    time.atomic_cycles = memory.atomic_cycles() * double(time.blocks_on_sm) / double(time.blocks_modelled);
    time.dram_bytes = memory.dram_bytes() * plan.launch_work;
    time.l2_bytes = memory.l2_bytes() * plan.launch_work;
    if (gpu.dram_bytes_per_second > 0 && timing.clock_hz > 0)
        time.memory_cycles = time.dram_bytes / gpu.dram_bytes_per_second * timing.clock_hz;
    // The SM may finish before its blocks are retired or its atomics complete.
    const double atomics_lag = memory.atomics_done() - double(schedule.totals.cycles);
    time.drain_cycles = std::max(retirement_lag, atomics_lag);
    time.drains_atomics = atomics_lag > retirement_lag;
    time.cycles = time.overhead_cycles + time.sm_cycles + time.drain_cycles;
    return time;
}

}  // namespace warplens::simt
