#include "simt/timing/schedule_log.h"

#include <algorithm>

namespace warplens::simt {

std::uint32_t ScheduleLog::arrive(std::uint64_t block, std::uint32_t first_record, std::uint32_t warp_count,
                                  std::uint32_t cycle) {
    const auto first = static_cast<std::uint32_t>(warps_.size());
    blocks_.push_back({block, cycle, cycle, first, warp_count});
    for (std::uint32_t i = 0; i < warp_count; ++i) {
        Warp warp;
        warp.row.warp_record = first_record + i;
        warp.row.block = static_cast<std::uint32_t>(blocks_.size() - 1);
        warp.row.arrival = cycle;
        warps_.push_back(std::move(warp));
    }
    return first;
}

void ScheduleLog::place(std::uint32_t warp, int scheduler, int slot) {
    warps_[warp].row.scheduler = static_cast<std::uint16_t>(scheduler);
    warps_[warp].row.slot = static_cast<std::uint16_t>(slot);
}

void ScheduleLog::close(Warp& warp, std::uint32_t cycle) {
    if (!warp.entered || cycle == warp.since) return;
    totals_.states[warp.now.state] += cycle - warp.since;
    site_states_[warp.now.site][warp.now.state] += cycle - warp.since;
    if (!keep_spans_) return;
    warp.spans.push_back(
        {warp.since, trace::StateSpan::pack(warp.now.site, warp.now.state), warp.now.step, warp.now.cause});
}

void ScheduleLog::enter(std::uint32_t warp, std::uint32_t cycle, const WarpCondition& condition) {
    Warp& entry = warps_[warp];
    if (entry.entered && entry.now == condition) return;
    close(entry, cycle);
    entry.now = condition;
    entry.since = cycle;
    entry.entered = true;
}

void ScheduleLog::flight(std::uint32_t warp, const trace::Flight& flight) {
    if (keep_spans_) warps_[warp].flights.push_back(flight);
}

void ScheduleLog::issue(std::uint32_t warp, const trace::Issue& issue) {
    if (keep_spans_) warps_[warp].issues.push_back(issue);
}

void ScheduleLog::barrier(std::uint32_t block, std::uint32_t cycle, SiteId site) {
    if (keep_spans_) barriers_.push_back({cycle, block, site});
}

void ScheduleLog::depart(std::uint32_t warp, std::uint32_t cycle) {
    Warp& entry = warps_[warp];
    close(entry, cycle);
    entry.entered = false;
    entry.row.departure = cycle;
    totals_.warp_cycles += cycle - entry.row.arrival;
    auto& block = blocks_[entry.row.block];
    block.departure = std::max(block.departure, cycle);
}

void ScheduleLog::finish(trace::Schedule& schedule) {
    std::uint64_t spans = 0, flights = 0, issues = 0;
    for (const Warp& warp : warps_) {
        spans += warp.spans.size();
        flights += warp.flights.size();
        issues += warp.issues.size();
    }
    schedule.spans.reserve(spans);
    schedule.flights.reserve(flights);
    schedule.issues.reserve(issues);
    schedule.warps.reserve(warps_.size());
    for (Warp& warp : warps_) {
        warp.row.spans_begin = schedule.spans.size();
        schedule.spans.insert(schedule.spans.end(), warp.spans.begin(), warp.spans.end());
        warp.row.spans_end = schedule.spans.size();
        warp.row.flights_begin = schedule.flights.size();
        schedule.flights.insert(schedule.flights.end(), warp.flights.begin(), warp.flights.end());
        warp.row.flights_end = schedule.flights.size();
        warp.row.issues_begin = schedule.issues.size();
        schedule.issues.insert(schedule.issues.end(), warp.issues.begin(), warp.issues.end());
        warp.row.issues_end = schedule.issues.size();
        schedule.warps.push_back(warp.row);
        schedule.slots_per_scheduler = std::max(schedule.slots_per_scheduler, warp.row.slot + 1);
        warp = {};
    }
    schedule.blocks = std::move(blocks_);
    std::stable_sort(barriers_.begin(), barriers_.end(),
                     [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
    schedule.barriers = std::move(barriers_);
    for (const auto& block : schedule.blocks)
        totals_.cycles = std::max<std::uint64_t>(totals_.cycles, block.departure);
    totals_.issue_slots = totals_.cycles * static_cast<std::uint64_t>(schedule.schedulers);
    totals_.issued = totals_.states[WarpState::selected];
    totals_.eligible_cycles = totals_.issued + totals_.states[WarpState::not_selected];
    schedule.totals = totals_;
    schedule.site_states = std::move(site_states_);
}

}  // namespace warplens::simt
