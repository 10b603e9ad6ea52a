#include "analysis/time/schedule_summary.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/wording.h"
#include "core/sm_timing.h"

namespace warplens::analysis {

ScheduleSummary summarise_launch(const trace::Schedule& schedule, const GpuSpec& gpu) {
    ScheduleSummary summary;
    summary.launch = schedule.launch;
    if (const double clock = sm_timing(gpu).clock_hz; clock > 0)
        summary.seconds = schedule.launch.cycles / clock;
    summary.stalls = summarise(schedule.totals);
    summary.site_states = schedule.site_states;
    summary.resident_blocks = schedule.resident_blocks;
    if (schedule.totals.repeated_loads > 0)
        summary.repeated_load_latency =
            double(schedule.totals.repeated_load_cycles) / double(schedule.totals.repeated_loads);
    summary.measured_latencies = schedule.measured_latencies;
    summary.notes = schedule.notes;
    summary.limiting = limiting_sentence(schedule, gpu);
    return summary;
}

std::string grouped_cycles(double cycles) { return grouped(std::uint64_t(std::llround(cycles))); }

std::string parts_of_launch(const trace::LaunchTime& launch) {
    if (launch.overhead_cycles <= 0) return {};
    std::string out = fmt::format(": {} to start and end the launch, {} on the busiest SM",
                                  grouped_cycles(launch.overhead_cycles), grouped_cycles(launch.sm_cycles));
    if (launch.drain_cycles >= 1)
        out += fmt::format(", {} until {}", grouped_cycles(launch.drain_cycles),
                           launch.drains_atomics ? "L2 has finished the atomics" : "all blocks are retired");
    return out;
}

}  // namespace warplens::analysis
