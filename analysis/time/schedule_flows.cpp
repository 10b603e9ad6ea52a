#include "analysis/time/schedule_flows.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

bool gives_data(const Site& site) {
    if (site.operation == Operation::load) return true;
    return site.operation == Operation::atomic && !site.opcode.starts_with("red");
}

void add_data(const trace::Schedule& schedule, const Program& program, std::vector<Flow>& flows) {
    for (std::uint32_t index = 0; index < schedule.warps.size(); ++index) {
        const trace::ScheduledWarp& warp = schedule.warps[index];
        for (const trace::Flight& flight : flights_of(schedule, warp)) {
            const bool seen = flight.issued < flight.returned && flight.returned < warp.departure;
            if (seen && gives_data(program.sites[flight.site()]))
                flows.push_back(
                    {FlowKind::data, flight.site(), index, index, flight.issued, flight.returned});
        }
    }
}

void add_releases(const trace::Schedule& schedule, std::vector<Flow>& flows) {
    struct Waiting {
        std::uint32_t warp, since;
    };
    std::vector<Waiting> waiting;
    for (const trace::BarrierRelease& release : schedule.barriers) {
        if (release.cycle == 0) continue;
        waiting.clear();
        const trace::ScheduledBlock& block = schedule.blocks[release.block];
        for (std::uint32_t i = block.first_warp; i < block.first_warp + block.warp_count; ++i) {
            const trace::ScheduledWarp& warp = schedule.warps[i];
            const trace::StateSpan* span = span_at(schedule, warp, release.cycle - 1);
            if (span && span->state() == WarpState::barrier && release.cycle < warp.departure &&
                end_of(schedule, warp, *span) == release.cycle)
                waiting.push_back({i, span->begin});
        }
        if (waiting.empty()) continue;
        const auto last = std::ranges::max_element(waiting, {}, &Waiting::since);
        // It arrived in the cycle in which it issued the barrier, just before its wait began.
        const std::uint32_t arrival = schedule.warps[last->warp].arrival;
        const std::uint32_t from = last->since > arrival ? last->since - 1 : last->since;
        for (const Waiting& other : waiting)
            if (other.warp != last->warp)
                flows.push_back(
                    {FlowKind::release, release.site, last->warp, other.warp, from, release.cycle});
    }
}

}  // namespace

std::vector<Flow> flows_of(const trace::Schedule& schedule, const Program& program) {
    std::vector<Flow> flows;
    if (schedule.spans.empty()) return flows;
    add_data(schedule, program, flows);
    add_releases(schedule, flows);
    return flows;
}

}  // namespace warplens::analysis
