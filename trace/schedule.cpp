#include "trace/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace warplens::trace {

const StateSpan* span_at(const Schedule& schedule, const ScheduledWarp& warp, std::uint32_t cycle) {
    if (cycle < warp.arrival || cycle >= warp.departure) return nullptr;
    const auto spans = spans_of(schedule, warp);
    const auto after =
        std::upper_bound(spans.begin(), spans.end(), cycle,
                         [](std::uint32_t at, const StateSpan& span) { return at < span.begin; });
    return after == spans.begin() ? nullptr : &*(after - 1);
}

std::uint32_t end_of(const Schedule& schedule, const ScheduledWarp& warp, const StateSpan& span) {
    const StateSpan* next = &span + 1;
    return next == schedule.spans.data() + warp.spans_end ? warp.departure : next->begin;
}

namespace {

std::string check_warp(const Schedule& schedule, std::size_t index) {
    const ScheduledWarp& warp = schedule.warps[index];
    if (warp.spans_begin > warp.spans_end || warp.spans_end > schedule.spans.size())
        return fmt::format("warp {}'s spans are outside the schedule's", index);
    if (warp.flights_begin > warp.flights_end || warp.flights_end > schedule.flights.size())
        return fmt::format("warp {}'s flights are outside the schedule's", index);
    if (warp.block >= schedule.blocks.size()) return fmt::format("warp {} belongs to no block", index);
    if (warp.scheduler >= schedule.schedulers) return fmt::format("warp {} has no scheduler", index);
    if (warp.arrival > warp.departure) return fmt::format("warp {} departs before it arrives", index);
    const auto spans = spans_of(schedule, warp);
    if (spans.empty()) return {};  // only totals were requested
    if (spans.front().begin != warp.arrival)
        return fmt::format("warp {}'s first span does not begin at its arrival", index);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const std::uint32_t end = end_of(schedule, warp, spans[i]);
        if (spans[i].begin >= end)
            return fmt::format("warp {}'s span at cycle {} is empty or overlaps the next", index,
                               spans[i].begin);
        if (static_cast<std::size_t>(spans[i].state()) >= warp_state_count)
            return fmt::format("warp {}'s span at cycle {} has no such state", index, spans[i].begin);
    }
    for (const Flight& flight : flights_of(schedule, warp)) {
        if (flight.returned < flight.issued)
            return fmt::format("warp {}'s request of cycle {} returns before it is issued", index,
                               flight.issued);
    }
    return {};
}

/// Each cycle of a `selected` span has one issue of its site, and there are no others.
std::string check_issues_of(const Schedule& schedule, std::size_t index) {
    const ScheduledWarp& warp = schedule.warps[index];
    if (warp.issues_begin > warp.issues_end || warp.issues_end > schedule.issues.size())
        return fmt::format("warp {}'s issues are outside the schedule's", index);
    const auto issues = issues_of(schedule, warp);
    std::size_t next = 0;
    for (const StateSpan& span : spans_of(schedule, warp)) {
        if (span.state() != WarpState::selected) continue;
        for (std::uint32_t cycle = span.begin; cycle < end_of(schedule, warp, span); ++cycle, ++next) {
            if (next >= issues.size() || issues[next].cycle != cycle || issues[next].site() != span.site())
                return fmt::format("warp {} issues in cycle {}, but that issue is not recorded", index,
                                   cycle);
            if (issues[next].free < cycle || issues[next].ready < cycle ||
                static_cast<std::size_t>(issues[next].pipe()) >= pipe_count)
                return fmt::format("warp {}'s issue of cycle {} names no pipe, or ends before it", index,
                                   cycle);
        }
    }
    if (next != issues.size()) return fmt::format("warp {} has issues outside its issuing cycles", index);
    return {};
}

/// No two warps of a scheduler issue in one cycle.
std::string check_issues(const Schedule& schedule) {
    std::uint32_t end = 0;
    for (const ScheduledWarp& warp : schedule.warps) end = std::max(end, warp.departure);
    std::vector<std::vector<bool>> issued(static_cast<std::size_t>(schedule.schedulers));
    for (auto& cycles : issued) cycles.resize(end);
    for (const ScheduledWarp& warp : schedule.warps) {
        for (const StateSpan& span : spans_of(schedule, warp)) {
            if (span.state() != WarpState::selected) continue;
            for (std::uint32_t cycle = span.begin; cycle < end_of(schedule, warp, span); ++cycle) {
                if (issued[warp.scheduler][cycle])
                    return fmt::format("scheduler {} issues twice in cycle {}", warp.scheduler, cycle);
                issued[warp.scheduler][cycle] = true;
            }
        }
    }
    return {};
}

/// No two warps have the same slot of a scheduler at the same time.
std::string check_slots(const Schedule& schedule) {
    std::vector<const ScheduledWarp*> warps;
    for (const ScheduledWarp& warp : schedule.warps) warps.push_back(&warp);
    std::ranges::sort(warps, {}, [](const ScheduledWarp* warp) {
        return std::tuple(warp->scheduler, warp->slot, warp->arrival, warp->departure);
    });
    for (std::size_t i = 1; i < warps.size(); ++i) {
        const ScheduledWarp &before = *warps[i - 1], &warp = *warps[i];
        if (before.scheduler == warp.scheduler && before.slot == warp.slot && before.departure > warp.arrival)
            return fmt::format("two warps hold slot {} of scheduler {} in cycle {}", warp.slot,
                               warp.scheduler, warp.arrival);
    }
    return {};
}

}  // namespace

std::string check(const Schedule& schedule) {
    ByWarpState<std::uint64_t> states;
    std::uint64_t warp_cycles = 0;
    for (std::size_t i = 0; i < schedule.warps.size(); ++i) {
        if (std::string wrong = check_warp(schedule, i); !wrong.empty()) return wrong;
        if (!schedule.issues.empty())
            if (std::string wrong = check_issues_of(schedule, i); !wrong.empty()) return wrong;
        const ScheduledWarp& warp = schedule.warps[i];
        warp_cycles += warp.departure - warp.arrival;
        for (const StateSpan& span : spans_of(schedule, warp))
            states[span.state()] += end_of(schedule, warp, span) - span.begin;
    }
    const ScheduleTotals& totals = schedule.totals;
    if (warp_cycles != totals.warp_cycles)
        return fmt::format("the warps are resident for {} cycles, but the totals have {}", warp_cycles,
                           totals.warp_cycles);
    std::uint64_t sum = 0;
    for (const std::uint64_t cycles : totals.states.values) sum += cycles;
    if (sum != totals.warp_cycles)
        return fmt::format("the states take {} warp-cycles of {}", sum, totals.warp_cycles);
    if (totals.issued != totals.states[WarpState::selected]) return "issues and selected warp-cycles differ";
    if (!schedule.spans.empty() && states != totals.states) return "the spans and the totals differ";
    if (totals.issued > totals.issue_slots) return "more instructions issued than there are issue slots";
    if (std::string wrong = check_issues(schedule); !wrong.empty()) return wrong;
    return check_slots(schedule);
}

}  // namespace warplens::trace
