#include "analysis/time/stalls.h"

#include <algorithm>

namespace warplens::analysis {
namespace {

CycleRange clipped(const trace::Schedule& schedule, CycleRange range) {
    const auto cycles =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(schedule.totals.cycles, std::uint64_t{no_index}));
    const std::uint32_t end = std::min(range.end, cycles);
    return {std::min(range.begin, end), end};
}

/// Calls use(state, begin, end) for the part of each span in the range, warp by warp.
template <class Use>
void for_each_part(const trace::Schedule& schedule, CycleRange range, Use&& use) {
    for (const trace::ScheduledWarp& warp : schedule.warps) {
        if (warp.arrival >= range.end || warp.departure <= range.begin) continue;
        const auto spans = trace::spans_of(schedule, warp);
        if (spans.empty()) continue;
        const trace::StateSpan* span = trace::span_at(schedule, warp, std::max(range.begin, warp.arrival));
        const trace::StateSpan* const last = spans.data() + spans.size();
        for (; span != last && span->begin < range.end; ++span) {
            const std::uint32_t end = span + 1 == last ? warp.departure : span[1].begin;
            use(span->state(), std::max(span->begin, range.begin), std::min(end, range.end));
        }
    }
}

}  // namespace

StallSummary summarise(const trace::ScheduleTotals& totals) {
    StallSummary summary;
    summary.cycles = totals.cycles;
    summary.warp_cycles = totals.warp_cycles;
    summary.states = totals.states;
    summary.issued = totals.issued;
    summary.issue_slots = totals.issue_slots;
    summary.eligible_cycles = totals.eligible_cycles;
    return summary;
}

StallSummary summarise(const trace::Schedule& schedule, CycleRange range) {
    range = clipped(schedule, range);
    StallSummary summary;
    summary.cycles = range.end - range.begin;
    summary.issue_slots = summary.cycles * static_cast<std::uint64_t>(schedule.schedulers);
    for_each_part(schedule, range, [&](WarpState state, std::uint32_t begin, std::uint32_t end) {
        summary.states[state] += end - begin;
    });
    for (const std::uint64_t cycles : summary.states.values) summary.warp_cycles += cycles;
    summary.issued = summary.states[WarpState::selected];
    summary.eligible_cycles = summary.issued + summary.states[WarpState::not_selected];
    return summary;
}

StateHistory history(const trace::Schedule& schedule, CycleRange range, std::size_t bins) {
    StateHistory result;
    result.range = range = clipped(schedule, range);
    result.warps.resize(bins);
    if (bins == 0 || range.begin == range.end) return result;

    std::vector<ByWarpState<double>> sums(bins);  // warp-cycles, in units of a bin's width
    const double bins_per_cycle = double(bins) / double(range.end - range.begin);
    for_each_part(schedule, range, [&](WarpState state, std::uint32_t begin, std::uint32_t end) {
        const double from = double(begin - range.begin) * bins_per_cycle;
        const double to = double(end - range.begin) * bins_per_cycle;
        auto bin = static_cast<std::size_t>(from);
        if (to <= double(bin + 1)) {  // nearly every span is in one bin
            sums[std::min(bin, bins - 1)][state] += to - from;
            return;
        }
        double at = from;
        for (; bin < bins && at < to; ++bin) {
            const double stop = std::min(to, double(bin + 1));
            sums[bin][state] += stop - at;
            at = stop;
        }
    });
    for (std::size_t bin = 0; bin < bins; ++bin)
        for (std::size_t state = 0; state < warp_state_count; ++state)
            result.warps[bin].values[state] = static_cast<float>(sums[bin].values[state]);
    return result;
}

}  // namespace warplens::analysis
