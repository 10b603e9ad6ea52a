#include "analysis/time/schedule_summary.h"

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
    summary.measured_latencies = schedule.measured_latencies;
    summary.notes = schedule.notes;
    summary.limiting = limiting_sentence(schedule, gpu);
    return summary;
}

}  // namespace warplens::analysis
