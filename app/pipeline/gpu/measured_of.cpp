#include "app/pipeline/gpu/measured_of.h"

#include <algorithm>
#include <ctime>

#include "app/pipeline/gpu/recording_size.h"
#include "instrumentation/device/protocol.h"

namespace warplens::app {

namespace instr = instrumentation;

std::string utc_now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

trace::Measured measured_of(const instr::DeviceFacts& device, const instr::Decoded& decoded) {
    trace::Measured measured;
    measured.device = device.name;
    measured.driver = device.driver;
    measured.date = utc_now();
    measured.compute_major = device.compute_major;
    measured.compute_minor = device.compute_minor;
    measured.sm_count = device.sm_count;
    // If a launch is too short to measure its clock by the timer, the device's boost clock is used.
    measured.clock_hz = decoded.clock_hz > 0 ? decoded.clock_hz : device.boost_clock_hz;
    measured.timer_bound_ns = decoded.timer_bound_ns;
    measured.openings_derived = decoded.openings_derived;
    measured.sms = decoded.sms;
    measured.warps = decoded.warps;
    measured.visits = decoded.visits;
    return measured;
}

void keep_visits_of(trace::Measured& measured, const std::vector<std::uint64_t>& blocks) {
    std::vector<trace::MeasuredVisit> kept;
    for (trace::MeasuredWarp& warp : measured.warps) {
        const auto begin = measured.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_begin);
        const auto end = measured.visits.begin() + static_cast<std::ptrdiff_t>(warp.visits_end);
        warp.visits_begin = kept.size();
        if (std::ranges::binary_search(blocks, warp.block)) kept.insert(kept.end(), begin, end);
        warp.visits_end = kept.size();
    }
    measured.visits = std::move(kept);
}

trace::Perturbation perturbation_of(instr::RecordMode mode, const instr::GpuKernelFacts& clean, int repeats,
                                    const instr::GpuVariantResult& result, const instr::Decoded& decoded) {
    trace::Perturbation perturbation;
    perturbation.mode = name_of(mode);
    perturbation.clean_us = clean.time_us;
    perturbation.traced_us = result.kernel.time_us;
    perturbation.repeats = repeats;
    perturbation.clean_registers = clean.registers;
    perturbation.traced_registers = result.kernel.registers;
    perturbation.clean_blocks_per_sm = clean.blocks_per_sm;
    perturbation.traced_blocks_per_sm = result.kernel.blocks_per_sm;
    perturbation.records = decoded.records;
    perturbation.recorded_bytes = decoded.written_bytes;
    perturbation.dropped_records = decoded.dropped_records;
    perturbation.enough_bytes = decoded.enough_bytes;
    perturbation.identical_results = result.identical_results;
    return perturbation;
}

UnitsAWarp units_a_warp(const instr::RecordingPlan& plan, const instr::Decoded& decoded) {
    double units = 0, recorded = 0;
    for (const instr::BlockPlan& block : plan.blocks) {
        if (block.source != instr::BlockPlan::Source::recorded) continue;
        units += block.units;
        ++recorded;
    }
    const double a_record = recorded > 0 ? units / recorded : 1;
    const double fixed = least_units_a_warp(plan) - lane_area_units(plan) - units;
    const auto warps = static_cast<double>(decoded.warps.size());
    UnitsAWarp seen;
    seen.mean = fixed + a_record * static_cast<double>(decoded.records + decoded.dropped_records) / warps;
    seen.most = seen.mean;
    for (const trace::MeasuredWarp& warp : decoded.warps) {
        double written = fixed;
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end;
             ++i)  // those with a record have a time
            if (decoded.visits[i].entered != trace::no_time)
                written += plan.blocks[decoded.visits[i].basic_block].units;
        seen.most = std::max(seen.most, written);
    }
    return seen;
}

std::string golden_words(const Result<instr::GoldenResult>& golden) {
    if (!golden) return "failed: " + golden.error().message;
    if (!golden->declared) return "none";
    return golden->passed ? "passed" : "failed: " + golden->failure;
}

}  // namespace warplens::app
