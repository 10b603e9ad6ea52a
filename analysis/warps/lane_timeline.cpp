#include "analysis/warps/lane_timeline.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "trace/query.h"

namespace warplens::analysis {
namespace {

constexpr std::uint32_t never = no_index;
using LaneVisits = std::array<std::uint32_t, warp_size>;  // one visit number per lane

LaneVisits last_visits(const trace::Trace& trace, const trace::WarpRecord& warp) {
    LaneVisits last;
    last.fill(never);
    for (std::uint64_t v = warp.visits_begin; v < warp.visits_end; ++v) {
        for_each_lane(trace.visits[v].active, [&](int lane) {
            last[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(v - warp.visits_begin);
        });
    }
    return last;
}

/// Lanes that joined at this visit: all except those whose previous visit was the latest.
LaneMask newcomers(LaneMask active, const LaneVisits& previous) {
    std::uint32_t latest = 0;
    bool any = false;
    for_each_lane(active, [&](int lane) {
        const std::uint32_t visit = previous[static_cast<std::size_t>(lane)];
        if (visit == never) return;
        latest = any ? std::max(latest, visit) : visit;
        any = true;
    });
    LaneMask others;
    if (!any) return others;
    for_each_lane(active, [&](int lane) {
        if (previous[static_cast<std::size_t>(lane)] != latest) others.bits |= 1u << lane;
    });
    return others;
}

void extend(LaneStretch& stretch, const Program& program, const BasicBlock& block) {
    ++stretch.visits;
    stretch.steps += block.site_count;
    if (block.site_count > 0) stretch.last_site = block.first_site + block.site_count - 1;
    for (SiteId site = block.first_site; site < block.first_site + block.site_count; ++site) {
        const std::uint32_t line = program.sites[site].line;
        if (line == 0) continue;
        stretch.min_line = stretch.min_line == 0 ? line : std::min(stretch.min_line, line);
        stretch.max_line = std::max(stretch.max_line, line);
    }
}

void add_predicated(LaneTimeline& timeline, std::uint64_t step, LaneMask off) {
    if (off.empty()) return;
    if (!timeline.predicated.empty()) {
        PredicatedSteps& last = timeline.predicated.back();
        if (last.off == off && last.first_step + last.steps == step) {
            ++last.steps;
            return;
        }
    }
    timeline.predicated.push_back({step, 1, off});
}

/// Numbers the paths, the sets of lanes that run together, in order of appearance.
void number_paths(LaneTimeline& timeline) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (LaneStretch& stretch : timeline.stretches) {
        const auto next = static_cast<std::uint32_t>(numbers.size());
        stretch.path = numbers.try_emplace(stretch.active.bits, next).first->second;
    }
    timeline.paths = static_cast<std::uint32_t>(numbers.size());
}

}  // namespace

LaneTimeline lane_timeline(const trace::Trace& trace, std::uint32_t warp_record) {
    LaneTimeline timeline;
    timeline.warp_record = warp_record;
    if (warp_record >= trace.warps.size()) return timeline;
    const trace::WarpRecord& warp = trace.warps[warp_record];
    const trace::RecordedSites sites(trace.program);
    trace::RecordCursor cursor(trace, warp);
    const LaneVisits last = last_visits(trace, warp);
    LaneVisits previous;
    previous.fill(never);

    for (std::uint64_t at = warp.visits_begin; at < warp.visits_end; ++at) {
        const trace::Visit& visit = trace.visits[at];
        const auto number = static_cast<std::uint32_t>(at - warp.visits_begin);
        const BasicBlock& block = trace.program.basic_blocks[visit.basic_block];

        const LaneMask met = newcomers(visit.active, previous);
        if (!met.empty())
            timeline.events.push_back(
                {LaneEvent::Kind::meet, number, timeline.steps, block.first_site, visit.active, met});
        if (timeline.stretches.empty() || timeline.stretches.back().active != visit.active) {
            LaneStretch stretch;
            stretch.first_visit = number;
            stretch.active = visit.active;
            stretch.first_step = timeline.steps;
            stretch.first_site = block.first_site;
            timeline.stretches.push_back(stretch);
        }
        extend(timeline.stretches.back(), trace.program, block);

        const std::uint64_t lanes =
            std::uint64_t{block.site_count} * static_cast<std::uint64_t>(visit.active.count());
        timeline.active_lanes += lanes;
        timeline.executed_lanes += lanes;
        for (const trace::RecordedSites::Entry& entry : sites.of(visit.basic_block)) {
            const trace::SiteRecords records = cursor.next(entry, visit.active);
            const LaneMask off = visit.active & ~(entry.branch ? records.taken : records.executed);
            timeline.executed_lanes -= static_cast<std::uint64_t>(off.count());
            if (!entry.branch)
                add_predicated(timeline, timeline.steps + (entry.site - block.first_site), off);
            if (!entry.branch || records.taken.empty() || records.taken == visit.active) continue;
            timeline.events.push_back({LaneEvent::Kind::split, number + 1,
                                       timeline.steps + (entry.site - block.first_site), entry.site,
                                       visit.active, records.taken});
        }
        timeline.steps += block.site_count;

        LaneMask left;
        for_each_lane(visit.active, [&](int lane) {
            previous[static_cast<std::size_t>(lane)] = number;
            if (last[static_cast<std::size_t>(lane)] == number) left.bits |= 1u << lane;
        });
        if (!left.empty() && at + 1 < warp.visits_end)
            timeline.events.push_back(
                {LaneEvent::Kind::leave, number + 1, timeline.steps, no_index, left, left});
    }
    number_paths(timeline);
    return timeline;
}

std::size_t stretch_of(const LaneTimeline& timeline, std::uint32_t visit) {
    const auto after = std::upper_bound(
        timeline.stretches.begin(), timeline.stretches.end(), visit,
        [](std::uint32_t wanted, const LaneStretch& stretch) { return wanted < stretch.first_visit; });
    return after == timeline.stretches.begin()
               ? 0
               : static_cast<std::size_t>(after - timeline.stretches.begin()) - 1;
}

}  // namespace warplens::analysis
