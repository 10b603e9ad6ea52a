#include "analysis/report/measured_against_modelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/time/measured_summary.h"
#include "analysis/wording.h"
#include "core/sm_timing.h"
#include "core/stream_costs.h"

namespace warplens::analysis {

namespace {

using trace::Measured;
using trace::MeasuredWarp;
using trace::Schedule;
using trace::ScheduledWarp;

std::uint32_t barrier_cycles(const Schedule& schedule, const ScheduledWarp& warp) {
    std::uint32_t cycles = 0;
    for (const trace::StateSpan& span : spans_of(schedule, warp))
        if (span.state() == WarpState::barrier) cycles += end_of(schedule, warp, span) - span.begin;
    return cycles;
}

/// The blocks that both sides ran: their durations and SMs.
struct SharedBlocks {
    std::vector<double> modelled, measured;  // cycles
    std::map<std::uint16_t, std::uint32_t> on_sm;

    /// The SM that ran most of them.
    std::optional<std::uint16_t> sm() const {
        const auto most = std::max_element(on_sm.begin(), on_sm.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == on_sm.end() ? std::nullopt : std::optional(most->first);
    }
};

SharedBlocks shared_blocks(const Measured& measured, const Schedule& schedule) {
    SharedBlocks shared;
    const std::vector<MeasuredBlock> timed = measured_blocks(measured);
    for (const trace::ScheduledBlock& block : schedule.blocks) {
        const MeasuredBlock* on_gpu = find_block(timed, block.block);
        if (!on_gpu) continue;
        ++shared.on_sm[on_gpu->sm];
        shared.measured.push_back(on_gpu->cycles());
        shared.modelled.push_back(block.departure - block.arrival);
    }
    return shared;
}

class MeasuredMetrics {
  public:
    MeasuredMetrics(const trace::Trace& trace, const LaunchReport* report, const Schedule* schedule,
                    const GpuSpec& gpu)
        : trace_(trace),
          measured_(*trace.measured),
          report_(report),
          schedule_(schedule),
          gpu_(gpu),
          summary_(summarise(measured_, trace.launch.geometry.blocks())),
          timed_(timed_perturbation(measured_)) {}

    std::vector<ComparedMetric> make() {
        launch_time();
        recorded_time();
        sm_cycles();
        block_cycles();
        barrier_share();
        residency();
        registers();
        return std::move(made_);
    }

  private:
    ComparedMetric& add(std::string name, std::string key, std::string unit, std::string help,
                        std::string note) {
        ComparedMetric metric;
        metric.name = std::move(name);
        metric.key = std::move(key);
        metric.unit = std::move(unit);
        metric.help = std::move(help);
        metric.note = std::move(note);
        return made_.emplace_back(std::move(metric));
    }

    /// "the light recording slows the kernel to 1.13 times its time"
    std::string cost() const {
        return summary_.slowdown() > 0 ? fmt::format("the {} recording slows the kernel to {} times its time",
                                                     timed_->mode, rounded(summary_.slowdown()))
                                       : "the cost of the recording was not measured";
    }

    bool slowed() const { return summary_.slowdown() >= 1.1; }

    /// The measured clock if known, else that of the GPU table.
    double clock_hz() const { return summary_.clock_hz > 0 ? summary_.clock_hz : sm_timing(gpu_).clock_hz; }

    void launch_time() {
        ComparedMetric& metric =
            add("Launch time", "launch_us", "µs", "The whole kernel, without any recording.",
                summary_.clock_hz > 0
                    ? fmt::format("The model's cycles are converted at the SMs' measured clock of {}.",
                                  with_prefix(summary_.clock_hz, "Hz"))
                    : "The launch was too short to measure the SMs' clock; the model's cycles are converted "
                      "at that of the GPU table.");
        if (summary_.clean_us > 0) metric.measured = summary_.clean_us;
        metric.note += " " + events_words();
        if (schedule_ && clock_hz() > 0)
            metric.modelled = schedule_->launch.cycles / clock_hz() * 1e6 + StreamCosts{}.events_us;
    }

    void recorded_time() {
        if (!timed_ || timed_->traced_us <= 0) return;
        add("Launch time, recorded", "traced_us", "µs",
            fmt::format("The same kernel with the {} recording, the source of the times below.",
                        timed_->mode),
            fmt::format("The cost of recording: {} more registers per thread, {} written.",
                        timed_->traced_registers - timed_->clean_registers,
                        with_prefix(double(timed_->recorded_bytes), "B", "bytes")))
            .measured = timed_->traced_us;
    }

    void sm_cycles() {
        if (summary_.sms.empty() || summary_.sampled()) return;
        const MeasuredSummary::Sm* sm =
            &*std::max_element(summary_.sms.begin(), summary_.sms.end(),
                               [](const MeasuredSummary::Sm& a, const MeasuredSummary::Sm& b) {
                                   return a.cycles() < b.cycles();
                               });
        if (schedule_) {
            const auto same = shared_blocks(measured_, *schedule_).sm();
            for (const MeasuredSummary::Sm& one : summary_.sms)
                if (same && one.sm == *same) sm = &one;
        }
        ComparedMetric& metric =
            add("Busy span of an SM", "sm_cycles", "cycles",
                fmt::format("From the first block's begin to the last one's end on {}.",
                            schedule_ ? "the SM that ran most of the modelled blocks" : "the longest SM"),
                schedule_ ? fmt::format("SM {} ran {} and the modelled one runs {}; {}.", sm->sm,
                                        counted(sm->blocks, "block"), grouped(schedule_->launch.blocks_on_sm),
                                        cost())
                          : fmt::format("SM {} ran {}; {}.", sm->sm, counted(sm->blocks, "block"), cost()));
        metric.measured = sm->cycles();
        if (schedule_) metric.modelled = schedule_->launch.sm_cycles;
        metric.slowed = slowed();
    }

    void block_cycles() {
        if (summary_.blocks == 0) return;
        const SharedBlocks shared = schedule_ ? shared_blocks(measured_, *schedule_) : SharedBlocks{};
        const bool both = !shared.measured.empty();
        ComparedMetric& metric =
            add("Block duration", "block_cycles", "cycles",
                fmt::format(
                    "From a block's first warp's begin to its last one's end: the median of {}.",
                    both ? fmt::format("the {} that both sides ran", counted(shared.measured.size(), "block"))
                         : counted(summary_.blocks, "block")),
                fmt::format("The model begins a block's warps in one cycle, the GPU one after another; {}.",
                            cost()));
        metric.slowed = slowed();
        metric.measured = both ? spread_of(shared.measured).median : summary_.block_cycles.median;
        if (both) metric.modelled = spread_of(shared.modelled).median;
        else if (schedule_ && !schedule_->blocks.empty()) {
            std::vector<double> all;
            for (const trace::ScheduledBlock& block : schedule_->blocks)
                all.push_back(block.departure - block.arrival);
            metric.modelled = spread_of(std::move(all)).median;
        }
    }

    void barrier_share() {
        if (summary_.barrier_waits == 0 && (!schedule_ || schedule_->totals.states[WarpState::barrier] == 0))
            return;
        ComparedMetric& metric = add(
            "Waiting at barriers", "barrier_share", "%",
            "Share of the resident warps' cycles that they wait at barriers.",
            fmt::format(
                "Measured over {} on all SMs{}, modelled over one SM; {}.",
                counted(summary_.barrier_waits, "wait"),
                trace_.measured->openings_derived ? ", whose ends are derived from the last arrivals" : "",
                cost()));
        metric.slowed = slowed();
        metric.measured = 100 * summary_.barrier_share;
        if (schedule_ && schedule_->totals.warp_cycles > 0)
            metric.modelled = 100 * double(schedule_->totals.states[WarpState::barrier]) /
                              double(schedule_->totals.warp_cycles);
    }

    void residency() {
        if (summary_.blocks == 0) return;
        const int warps = trace_.launch.geometry.warps_per_block();
        const std::string note =
            summary_.sampled()
                ? fmt::format(
                      "Only {} of {} blocks were timed, so the number resident on an SM is not known.",
                      grouped(summary_.blocks), grouped(summary_.blocks_in_grid))
            : timed_ && timed_->traced_blocks_per_sm != timed_->clean_blocks_per_sm
                ? fmt::format("The recording's registers leave room for {} per SM instead of {}.",
                              counted(static_cast<std::uint64_t>(timed_->traced_blocks_per_sm), "block"),
                              timed_->clean_blocks_per_sm)
                : "The exact value is the maximum that fits; a launch with few blocks, or blocks that end "
                  "soon, has "
                  "fewer.";
        const bool fits = report_ && report_->occupancy.blocks_per_sm > 0;
        ComparedMetric& blocks = add("Blocks on an SM", "blocks_per_sm", "blocks",
                                     "Maximum resident on any SM at the same time.", note);
        if (!summary_.sampled()) blocks.measured = summary_.most_blocks;
        if (fits) blocks.exact = report_->occupancy.blocks_per_sm;
        if (schedule_) blocks.modelled = schedule_->resident_blocks;
        ComparedMetric& resident = add("Warps on an SM", "warps_per_sm", "warps",
                                       "Maximum resident on any SM at the same time.", note);
        if (!summary_.sampled()) resident.measured = summary_.most_warps;
        if (fits) resident.exact = report_->occupancy.warps_per_sm;
        if (schedule_) resident.modelled = schedule_->resident_blocks * warps;
    }

    void registers() {
        if (!timed_ || timed_->clean_registers <= 0) return;
        ComparedMetric& metric =
            add("Registers per thread", "registers", "registers",
                "Of the kernel without recording, as assigned by the driver's assembler.",
                "The driver's assembler may be another version than the compiler's.");
        metric.measured = timed_->clean_registers;
        if (const auto exact = trace_.launch.resources.registers_per_thread; exact > 0) metric.exact = exact;
    }

    const trace::Trace& trace_;
    const Measured& measured_;
    const LaunchReport* report_;
    const Schedule* schedule_;
    const GpuSpec& gpu_;
    MeasuredSummary summary_;
    const trace::Perturbation* timed_;
    std::vector<ComparedMetric> made_;
};

}  // namespace

std::optional<double> ComparedMetric::difference_percent() const {
    const std::optional<double>& other = modelled ? modelled : exact;
    if (!other || !measured || *measured == 0) return std::nullopt;
    return 100 * (*other - *measured) / *measured;
}

std::string events_words() {
    return fmt::format("Two events around the launch take {} of its measured and of its modelled time.",
                       duration(StreamCosts{}.events_us * 1e-6));
}

std::string every_pass_words() {
    return "Each pass of each loop was recorded with its own clock. Passes that the recorder can derive are "
           "left out by default, which costs less.";
}

std::vector<ComparedMetric> measured_against_modelled(const trace::Trace& trace, const LaunchReport* report,
                                                      const Schedule* schedule, const GpuSpec& gpu) {
    if (!trace.measured) return {};
    return MeasuredMetrics(trace, report, schedule, gpu).make();
}

std::vector<WarpPair> align(const trace::Trace& trace, const Schedule& schedule) {
    std::vector<WarpPair> pairs;
    for (std::uint32_t i = 0; i < schedule.warps.size(); ++i) {
        const ScheduledWarp& scheduled = schedule.warps[i];
        WarpPair& pair = pairs.emplace_back();
        pair.scheduled = i;
        pair.modelled_begin = scheduled.arrival;
        pair.modelled_end = scheduled.departure;
        pair.modelled_barrier_cycles = barrier_cycles(schedule, scheduled);
        if (!trace.measured || scheduled.warp_record >= trace.warps.size()) continue;
        const trace::WarpRecord& record = trace.warps[scheduled.warp_record];
        const MeasuredWarp* warp = find_measured(*trace.measured, record.block, record.warp);
        if (!warp) continue;
        pair.measured = static_cast<std::uint32_t>(warp - trace.measured->warps.data());
        pair.measured_begin = warp->begin;
        pair.measured_end = warp->end;
        pair.measured_barrier_cycles = static_cast<std::uint32_t>(barrier_cycles(*trace.measured, *warp));
    }
    return pairs;
}

}  // namespace warplens::analysis
