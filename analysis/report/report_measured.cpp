#include "analysis/report/report_measured.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/report/measured_against_modelled.h"
#include "analysis/time/measured_summary.h"
#include "analysis/wording.h"
#include "core/stream_costs.h"

namespace warplens::analysis {
namespace {

Json row(const trace::Perturbation& perturbation) {
    return {{"clean_us", perturbation.clean_us},
            {"traced_us", perturbation.traced_us},
            {"extra_registers", perturbation.traced_registers - perturbation.clean_registers},
            {"dropped_records", perturbation.dropped_records},
            {"slowdown", perturbation.slowdown()},
            {"repeats", perturbation.repeats},
            {"clean_registers", perturbation.clean_registers},
            {"traced_registers", perturbation.traced_registers},
            {"clean_blocks_per_sm", perturbation.clean_blocks_per_sm},
            {"traced_blocks_per_sm", perturbation.traced_blocks_per_sm},
            {"records", perturbation.records},
            {"recorded_bytes", perturbation.recorded_bytes},
            {"enough_bytes", perturbation.enough_bytes},
            {"identical_results", perturbation.identical_results}};
}

/// 0: not known.
Json known_or_null(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json sm_row(const MeasuredSummary::Sm& sm) {
    return {{"sm", sm.sm},
            {"begin_us", sm.begin_us},
            {"end_us", sm.end_us},
            {"cycles", sm.cycles()},
            {"blocks", sm.blocks},
            {"warps", sm.warps},
            {"most_blocks", sm.most_blocks},
            {"most_warps", sm.most_warps},
            {"mean_warps", sm.busy}};
}

std::string cycles(double value) { return grouped(static_cast<std::uint64_t>(std::llround(value))); }

/// "light takes 1.13 times as long, with 2 more registers per thread"
std::string cost(const trace::Perturbation& perturbation) {
    std::string out =
        fmt::format("{} takes {} times as long", perturbation.mode, rounded(perturbation.slowdown()));
    const int registers = perturbation.traced_registers - perturbation.clean_registers;
    if (registers != 0)
        out += fmt::format(", with {} {} register{} per thread", std::abs(registers),
                           registers > 0 ? "more" : "fewer", std::abs(registers) == 1 ? "" : "s");
    if (perturbation.traced_blocks_per_sm != perturbation.clean_blocks_per_sm)
        out += fmt::format(", {} instead of {} blocks per SM", perturbation.traced_blocks_per_sm,
                           perturbation.clean_blocks_per_sm);
    if (perturbation.dropped_records > 0)
        out += fmt::format("; {} dropped, {} would have kept all",
                           counted(perturbation.dropped_records, "record"),
                           with_prefix(double(perturbation.enough_bytes), "B", "bytes"));
    if (!perturbation.identical_results) out += "; THE RESULTS DIFFER from the original kernel's";
    return out;
}

/// Comparison with the maximum: " of 8 that fit". A grid that does not fill the GPU has fewer.
std::string fits(const LaunchReport& report, const MeasuredSummary& summary) {
    const int fit = report.occupancy.blocks_per_sm;
    return fit > 0 && summary.most_blocks < static_cast<std::uint32_t>(fit)
               ? fmt::format(" of {} that fit", fit)
               : std::string();
}

/// Of the launch in the model as it was measured: with the caches as the GPU found them, between two events,
/// at the measured clock where it is known; 0: not known.
double modelled_as_measured_us(const LaunchReport& report, const MeasuredSummary& summary) {
    if (summary.clean_us <= 0 || !report.schedule || report.schedule->launch.cycles <= 0) return 0;
    const ScheduleSummary& modelled = *report.schedule;
    const double us =
        summary.clock_hz > 0 ? 1e6 / summary.clock_hz : modelled.seconds * 1e6 / modelled.launch.cycles;
    return modelled.cycles_as_measured > 0 ? modelled.cycles_as_measured * us + StreamCosts{}.events_us : 0;
}

}  // namespace

Json perturbation_row(const LaunchReport& report) {
    if (!report.measured || report.measured->perturbations.empty()) return nullptr;
    const trace::Perturbation* shown = timed_perturbation(*report.measured);
    Json out = row(*shown);
    out["mode"] = shown->mode;
    out["modes"] = Json::object();
    for (const trace::Perturbation& one : report.measured->perturbations) out["modes"][one.mode] = row(one);
    return out;
}

Json measured_row(const LaunchReport& report) {
    if (!report.measured) return nullptr;
    const trace::Measured& measured = *report.measured;
    const MeasuredSummary summary = summarise(measured, report.launch.geometry.blocks());
    Json sms = Json::array();
    for (const MeasuredSummary::Sm& sm : summary.sms) sms.push_back(sm_row(sm));
    return {{"provenance", to_string(MeasuredSummary::provenance)},
            {"device", measured.device},
            {"driver", measured.driver},
            {"date", measured.date},
            {"compute_capability", fmt::format("{}.{}", measured.compute_major, measured.compute_minor)},
            {"sm_count", measured.sm_count},
            {"clock_hz", known_or_null(summary.clock_hz)},
            {"timer_bound_us", summary.timer_bound_us},
            {"addresses", measured.addresses},
            {"clean_us", known_or_null(summary.clean_us)},
            {"clean_cycles", known_or_null(summary.clean_cycles)},
            {"modelled_us", known_or_null(modelled_as_measured_us(report, summary))},
            {"traced_us", known_or_null(summary.traced_us)},
            {"launch_us", known_or_null(summary.launch_us)},
            {"launch_cycles", known_or_null(summary.launch_cycles)},
            {"blocks", summary.blocks},
            {"blocks_in_grid", summary.blocks_in_grid},
            {"warps", summary.warps},
            {"block_cycles",
             {{"min", summary.block_cycles.min},
              {"median", summary.block_cycles.median},
              {"max", summary.block_cycles.max}}},
            {"warp_cycles", summary.warp_cycles},
            {"barrier_waits", summary.barrier_waits},
            {"barrier_cycles", summary.barrier_cycles},
            {"barrier_share", summary.barrier_share},
            {"most_blocks_per_sm", known_or_null(summary.most_blocks)},
            {"most_warps_per_sm", known_or_null(summary.most_warps)},
            {"waves", known_or_null(summary.waves)},
            {"imbalance", known_or_null(summary.imbalance)},
            {"every_pass", summary.every_pass},
            {"sms", std::move(sms)}};
}

std::vector<std::string> measured_lines(const LaunchReport& report) {
    if (!report.measured) return {};
    const trace::Measured& measured = *report.measured;
    const MeasuredSummary summary = summarise(measured, report.launch.geometry.blocks());
    std::vector<std::string> lines;
    std::string heading = "Time (measured)  ";
    if (summary.clean_us > 0) heading += duration(summary.clean_us * 1e-6);
    else heading += fmt::format("{} cycles", cycles(summary.launch_cycles));
    if (!measured.device.empty()) heading += " on " + measured.device;
    if (summary.clean_cycles > 0)
        heading += fmt::format(", {} cycles at {}", cycles(summary.clean_cycles),
                               with_prefix(summary.clock_hz, "Hz"));
    if (const double modelled_us = modelled_as_measured_us(report, summary); modelled_us > 0)
        heading += fmt::format("; modelled {} ({}, with {} for the two events around it)",
                               signed_percent(100 * (modelled_us / summary.clean_us - 1)),
                               trace::condition_words(measured), duration(StreamCosts{}.events_us * 1e-6));
    lines.push_back(std::move(heading));
    for (const trace::Perturbation& one : measured.perturbations)
        lines.push_back(fmt::format("  recording   {}", cost(one)));
    if (summary.every_pass) lines.push_back("  clocks      " + every_pass_words());
    if (summary.warps == 0) return lines;
    if (summary.sampled())
        lines.push_back(fmt::format("  blocks      {} of {} were timed, median {} cycles",
                                    grouped(summary.blocks), grouped(summary.blocks_in_grid),
                                    cycles(summary.block_cycles.median)));
    else
        lines.push_back(fmt::format("  blocks      {} on {}, at most {} at once on one{}, median {} cycles",
                                    grouped(summary.blocks), counted(summary.sms.size(), "SM"),
                                    summary.most_blocks, fits(report, summary),
                                    cycles(summary.block_cycles.median)));
    if (summary.barrier_waits > 0)
        lines.push_back(
            fmt::format("  barriers    warps wait there {} of their cycles", percent(summary.barrier_share)));
    if (summary.imbalance > 1)
        lines.push_back(fmt::format("  SMs         the longest is busy {} times as long as the mean",
                                    rounded(summary.imbalance)));
    if (const trace::Perturbation* timed = timed_perturbation(measured))
        lines.push_back(fmt::format("  all lines except the first are from the {} recording", timed->mode));
    return lines;
}

}  // namespace warplens::analysis
