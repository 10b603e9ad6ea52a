// SmallSchedule: a Schedule written warp by warp and state by state, for tests with exact cycles. Totals are
// counted here cycle by cycle, so that code that sums spans is compared with an independent count.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "trace/schedule.h"

namespace warplens::analysis {

struct Stay {  // a warp in one state
    WarpState state = WarpState::selected;
    std::uint32_t cycles = 1;
    SiteId site = 0;
    std::uint32_t step = 0;
    std::uint32_t cause = no_index;
};

class SmallSchedule {
  public:
    explicit SmallSchedule(int schedulers = 1) { schedule_.schedulers = schedulers; }

    /// A warp of the block added last (a first one is added here). Its record in the Trace is its number.
    void warp(int scheduler, std::uint32_t arrival, const std::vector<Stay>& stays) {
        if (schedule_.blocks.empty()) block();
        trace::ScheduledWarp warp;
        warp.warp_record = static_cast<std::uint32_t>(schedule_.warps.size());
        warp.block = static_cast<std::uint32_t>(schedule_.blocks.size() - 1);
        warp.scheduler = static_cast<std::uint16_t>(scheduler);
        warp.slot = warp.warp_record & 0xffffu;
        warp.arrival = arrival;
        warp.spans_begin = schedule_.spans.size();
        std::uint32_t at = arrival;
        for (const Stay& stay : stays) {
            schedule_.spans.push_back(
                {at, trace::StateSpan::pack(stay.site, stay.state), stay.step, stay.cause});
            at += stay.cycles;
        }
        warp.departure = at;
        warp.spans_end = schedule_.spans.size();
        schedule_.warps.push_back(warp);
        ++schedule_.blocks.back().warp_count;
    }
    void block() {
        trace::ScheduledBlock block;
        block.block = schedule_.blocks.size();
        block.first_warp = static_cast<std::uint32_t>(schedule_.warps.size());
        schedule_.blocks.push_back(block);
    }

    trace::Schedule take() {
        trace::ScheduleTotals& totals = schedule_.totals;
        totals = {};
        for (const trace::ScheduledWarp& warp : schedule_.warps)
            totals.cycles = std::max<std::uint64_t>(totals.cycles, warp.departure);
        totals.issue_slots = totals.cycles * static_cast<std::uint64_t>(schedule_.schedulers);
        for (std::uint32_t cycle = 0; cycle < totals.cycles; ++cycle) {
            for (const trace::ScheduledWarp& warp : schedule_.warps) {
                const trace::StateSpan* span = trace::span_at(schedule_, warp, cycle);
                if (!span) continue;
                ++totals.warp_cycles;
                ++totals.states[span->state()];
                if (span->state() == WarpState::selected) ++totals.issued;
                if (span->state() == WarpState::selected || span->state() == WarpState::not_selected)
                    ++totals.eligible_cycles;
            }
        }
        return schedule_;
    }

  private:
    trace::Schedule schedule_;
};

}  // namespace warplens::analysis
