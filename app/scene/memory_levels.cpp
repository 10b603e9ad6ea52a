#include "app/scene/memory_levels.h"

#include <algorithm>

#include "analysis/report/whole_grid.h"
#include "analysis/warps/occupancy.h"
#include "core/sm_timing.h"

namespace warplens::app {

using trace::ServedBy;

std::uint64_t MemoryLevels::global_loads() const {
    const MemoryLevels& all = *this;
    return all[ServedBy::l1].requests + all[ServedBy::l2].requests + all[ServedBy::dram].requests;
}

double MemoryLevels::hit_rate(ServedBy by) const {
    std::uint64_t reached = 0;
    for (auto level = static_cast<std::size_t>(by); level < levels.size(); ++level)
        reached += levels[level].requests;
    return reached == 0 ? 0 : double((*this)[by].requests) / double(reached);
}

double MemoryLevels::share_of_bytes(ServedBy by) const {
    if (requested_bytes <= 0) return 0;
    // DRAM moves pieces of 64 bytes, of which the SMs may ask for one half only.
    const double from_dram = std::min(dram_bytes, l2_bytes);
    const double upper = by == ServedBy::l1 ? requested_bytes : by == ServedBy::l2 ? l2_bytes : from_dram;
    const double lower = by == ServedBy::l1 ? l2_bytes : by == ServedBy::l2 ? from_dram : 0;
    return std::clamp((upper - lower) / requested_bytes, 0.0, 1.0);
}

namespace {

void count_flights(const Scene& scene, const trace::Schedule& schedule, MemoryLevels& found) {
    const Program& program = scene.trace->program;
    std::array<double, 4> sums{};
    for (const trace::Flight& flight : schedule.flights) {
        const auto by = static_cast<std::size_t>(flight.served_by());
        if (by >= found.levels.size() || flight.site() >= program.sites.size()) continue;
        const Site& site = program.sites[flight.site()];
        // Stores and atomics leave the SM: they say nothing of a load's latency. cp.async is a load.
        if (site.kind != SiteKind::memory || site.operation == Operation::store ||
            site.operation == Operation::atomic)
            continue;
        MemoryLevel& level = found.levels[by];
        const std::uint32_t cycles = flight.returned - std::min(flight.issued, flight.returned);
        level.least_cycles = level.requests == 0 ? cycles : std::min(level.least_cycles, cycles);
        level.most_cycles = std::max(level.most_cycles, cycles);
        sums[by] += cycles;
        ++level.requests;
    }
    for (std::size_t by = 0; by < found.levels.size(); ++by)
        if (found.levels[by].requests > 0)
            found.levels[by].mean_cycles = sums[by] / double(found.levels[by].requests);
}

void count_bytes(const Scene& scene, const trace::Schedule& schedule, MemoryLevels& found) {
    found.l2_bytes = schedule.launch.l2_bytes;
    found.dram_bytes = schedule.launch.dram_bytes;
    if (!scene.report || scene.report->blocks_executed == 0) return;
    const analysis::LaunchReport& report = *scene.report;
    const analysis::LastBlock last = report.last_block.value_or(analysis::LastBlock{});
    std::uint64_t used = 0, sectors = 0, wavefronts = 0;
    found.estimated = scene.blocks_in_grid != report.blocks_executed;
    for (const analysis::AccessTotals* totals :
         {&report.global_load, &report.global_store, &report.global_atomic, &report.local_load,
          &report.local_store}) {
        used += totals->used_bytes;
        sectors += totals->sectors;
    }
    const std::vector<trace::Buffer>& buffers = scene.trace->launch.buffers;
    for (std::size_t i = 0; i < std::min(buffers.size(), report.footprint.buffers.size()); ++i)
        if (report.footprint.buffers[i].read > 0) found.read_buffers += double(buffers[i].bytes);
    for (const analysis::AccessTotals* totals :
         {&report.shared_load, &report.shared_store, &report.shared_atomic})
        wavefronts += totals->wavefronts;
    const auto in_all = [&](std::uint64_t sum, std::uint64_t of_last) {
        return analysis::scaled_to_grid(report, double(sum), double(of_last));
    };
    found.used_bytes = in_all(used, last.used_bytes);
    found.requested_bytes = 32 * in_all(sectors, last.sectors);
    found.shared_bytes = 128 * in_all(wavefronts, last.wavefronts);
}

}  // namespace

std::shared_ptr<const MemoryLevels> memory_levels(const Scene& scene, const trace::Schedule& schedule) {
    auto found = std::make_shared<MemoryLevels>();
    MemoryLevels& levels = *found;
    const SmTiming& timing = sm_timing(*scene.gpu);
    const auto resident = static_cast<std::uint64_t>(std::max(schedule.resident_blocks, 1));
    const trace::Launch& launch = scene.trace->launch;
    const std::uint64_t of_block =
        launch.resources.shared_static_bytes + launch.geometry.dynamic_shared_bytes;
    const analysis::Occupancy fit = analysis::occupancy(
        *scene.gpu, {launch.geometry.threads_per_block(),
                     static_cast<int>(launch.resources.registers_per_thread), static_cast<int>(of_block)});
    // What a block is granted, with what the system takes of it, as in the SM view.
    constexpr auto shared_memory = static_cast<std::size_t>(analysis::Limiter::shared_memory);
    const std::uint64_t granted =
        fit.blocks_per_sm > 0 ? static_cast<std::uint64_t>(fit.used[shared_memory] / fit.blocks_per_sm)
                              : of_block;
    levels[ServedBy::shared].latency = timing.shared_load_latency;
    levels[ServedBy::shared].capacity = of_block > 0 ? resident * granted : 0;
    levels.reserved_shared_bytes = of_block > 0 ? resident * (granted - std::min(granted, of_block)) : 0;
    levels[ServedBy::l1].latency = timing.l1_hit_latency;
    levels[ServedBy::l1].capacity = schedule.l1_bytes > 0 ? schedule.l1_bytes : timing.l1_bytes;
    levels[ServedBy::l2].latency = timing.l2_hit_latency;
    levels[ServedBy::l2].capacity = scene.gpu->l2_bytes;
    levels[ServedBy::dram].latency = timing.dram_latency;
    levels.stairs =
        simt::latency_staircase(timing, static_cast<std::uint32_t>(levels[ServedBy::l1].capacity));
    count_flights(scene, schedule, levels);
    count_bytes(scene, schedule, levels);
    return found;
}

}  // namespace warplens::app
