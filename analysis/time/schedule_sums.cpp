#include "analysis/time/schedule_sums.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

namespace warplens::analysis {

namespace {

using trace::ScheduledWarp;
using trace::StateSpan;

std::vector<SlotRow> rows_of(const trace::Schedule& schedule) {
    std::vector<std::uint32_t> order(schedule.warps.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
        const ScheduledWarp& warp = schedule.warps[i];
        return std::tuple(warp.scheduler, warp.slot, warp.arrival, i);
    });
    std::vector<SlotRow> rows;
    for (const std::uint32_t i : order) {
        const ScheduledWarp& warp = schedule.warps[i];
        if (rows.empty() || rows.back().scheduler != warp.scheduler || rows.back().slot != warp.slot)
            rows.push_back({warp.scheduler, warp.slot, {}});
        rows.back().warps.push_back(i);
    }
    return rows;
}

}  // namespace

ScheduleSums::ScheduleSums(std::shared_ptr<const trace::Schedule> schedule, std::uint32_t spans_per_bin)
    : schedule_(std::move(schedule)), rows_(rows_of(*schedule_)) {
    for (const ScheduledWarp& warp : schedule_->warps) cycles_ = std::max(cycles_, warp.departure);
    const std::uint64_t row_cycles = std::uint64_t{cycles_} * rows_.size();
    const std::uint64_t wanted =
        row_cycles * spans_per_bin / std::max<std::size_t>(schedule_->spans.size(), 1);
    bin_shift_ = static_cast<std::uint32_t>(std::clamp(static_cast<int>(std::bit_width(wanted)) - 1, 3, 24));
    bins_ = (cycles_ >> bin_shift_) + 2;
    marks_.resize(rows_.size() * bins_);
    for (std::size_t row = 0; row < rows_.size(); ++row) fill(row);
}

void ScheduleSums::fill(std::size_t row) {
    Mark now;
    std::uint32_t bin = 0;
    const SlotRow& slot = rows_[row];
    const auto mark_until = [&](std::uint32_t cycle) {  // all bins that begin before `cycle`
        for (; bin < bins_ && (std::uint64_t{bin} << bin_shift_) < cycle; ++bin)
            marks_[row * bins_ + bin] = now;
    };
    for (; now.warp < slot.warps.size(); ++now.warp) {
        const ScheduledWarp& warp = schedule_->warps[slot.warps[now.warp]];
        now.span = 0;
        mark_until(warp.arrival);
        const auto spans = trace::spans_of(*schedule_, warp);
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const std::uint32_t begin = spans[i].begin;
            const std::uint32_t end = i + 1 < spans.size() ? spans[i + 1].begin : warp.departure;
            now.span = static_cast<std::uint32_t>(i);
            const WarpState state = spans[i].state();
            const std::uint32_t before = now.before[state];
            for (std::uint64_t at; bin < bins_ && (at = std::uint64_t{bin} << bin_shift_) < end; ++bin) {
                now.before[state] = before + static_cast<std::uint32_t>(at) - begin;
                marks_[row * bins_ + bin] = now;
            }
            now.before[state] = before + end - begin;
        }
    }
    now.span = 0;
    for (; bin < bins_; ++bin) marks_[row * bins_ + bin] = now;
}

/// Adds the cycles in each state from 0 to `cycle`.
void ScheduleSums::add_states(std::size_t row, std::uint32_t cycle, ByWarpState<std::uint32_t>& sums) const {
    cycle = std::min(cycle, cycles_);
    const std::uint32_t begin = cycle >> bin_shift_ << bin_shift_;
    const Mark& from = mark(row, cycle >> bin_shift_);
    for (std::size_t s = 0; s < warp_state_count; ++s) sums.values[s] += from.before.values[s];
    for_each_span(row, {begin, cycle},
                  [&](std::uint32_t, const StateSpan& span, std::uint32_t first, std::uint32_t last) {
                      sums[span.state()] += std::min(last, cycle) - std::max(first, begin);
                  });
}

ByWarpState<std::uint32_t> ScheduleSums::states(std::size_t row, CycleRange range) const {
    ByWarpState<std::uint32_t> before, sums;
    if (range.end <= range.begin) return sums;
    add_states(row, range.begin, before);
    add_states(row, range.end, sums);
    for (std::size_t s = 0; s < warp_state_count; ++s) sums.values[s] -= before.values[s];
    return sums;
}

void ScheduleSums::columns(std::size_t row, double begin, double end,
                           std::span<ByWarpState<float>> out) const {
    std::ranges::fill(out, ByWarpState<float>{});
    const auto count = static_cast<double>(out.size());
    if (out.empty() || end <= begin || begin >= cycles_ || end <= 0) return;
    const double width = (end - begin) / count;
    if (width >= bin_cycles()) {
        const auto scale = static_cast<float>(1 / width);
        // The sums at a column's edge are between those of the adjacent marks.
        using Edge = std::array<float, warp_state_count>;
        const double bin_width = bin_cycles();
        // Differences of neighbouring edges are small compared with the sums: count from the first mark.
        const Mark& base = mark(row, static_cast<std::uint32_t>(std::max(begin, 0.0)) >> bin_shift_);
        const auto edge_at = [&](double cycle, Edge& edge) {
            const double at = std::clamp(cycle, 0.0, static_cast<double>(cycles_)) / bin_width;
            const auto bin = std::min(static_cast<std::uint32_t>(at), bins_ - 2);
            const auto share = static_cast<float>(at - bin);
            const Mark &left = mark(row, bin), &right = mark(row, bin + 1);
            for (std::size_t s = 0; s < warp_state_count; ++s) {
                const auto from = static_cast<float>(
                    static_cast<std::int32_t>(left.before.values[s] - base.before.values[s]));
                const auto grown = static_cast<float>(
                    static_cast<std::int32_t>(right.before.values[s] - left.before.values[s]));
                edge[s] = from + share * grown;
            }
        };
        Edge left, right;
        edge_at(begin, left);
        for (std::size_t i = 0; i < out.size(); ++i) {
            edge_at(begin + width * static_cast<double>(i + 1), right);
            for (std::size_t s = 0; s < warp_state_count; ++s)
                out[i].values[s] = (right[s] - left[s]) * scale;
            left = right;
        }
        return;
    }
    for_each_share(row, begin, end, out.size(),
                   [&](std::size_t i, WarpState state, float share) { out[i][state] += share; });
}

StallSummary ScheduleSums::summarise(CycleRange range) const {
    range.end = std::min(range.end, cycles_);
    range.begin = std::min(range.begin, range.end);
    StallSummary sum;
    sum.cycles = range.end - range.begin;
    sum.issue_slots = sum.cycles * static_cast<std::uint64_t>(schedule_->schedulers);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const ByWarpState<std::uint32_t> here = states(row, range);
        for (std::size_t s = 0; s < warp_state_count; ++s) {
            sum.states.values[s] += here.values[s];
            sum.warp_cycles += here.values[s];
        }
    }
    sum.issued = sum.states[WarpState::selected];
    sum.eligible_cycles = sum.issued + sum.states[WarpState::not_selected];
    return sum;
}

std::uint32_t ScheduleSums::warp_at(std::size_t row, std::uint32_t cycle) const {
    const auto& warps = rows_[row].warps;
    const auto after = std::ranges::upper_bound(warps, cycle, {},
                                                [&](std::uint32_t i) { return schedule_->warps[i].arrival; });
    if (after == warps.begin()) return no_index;
    const std::uint32_t index = *(after - 1);
    return cycle < schedule_->warps[index].departure ? index : no_index;
}

std::uint64_t ScheduleSums::span_count(std::size_t row, CycleRange range) const {
    range.end = std::min(range.end, cycles_);
    if (range.begin >= range.end) return 0;
    const Mark& from = mark(row, range.begin >> bin_shift_);
    const Mark& to = mark(row, std::min((range.end >> bin_shift_) + 1, bins_ - 1));
    std::uint64_t count = std::uint64_t{to.span} - from.span;
    for (std::size_t w = from.warp; w < to.warp; ++w) {
        const ScheduledWarp& warp = schedule_->warps[rows_[row].warps[w]];
        count += warp.spans_end - warp.spans_begin;
    }
    return count;
}

std::size_t ScheduleSums::bytes() const {
    std::size_t bytes = marks_.size() * sizeof(Mark);
    for (const SlotRow& row : rows_) bytes += sizeof(SlotRow) + row.warps.size() * sizeof(std::uint32_t);
    return bytes;
}

}  // namespace warplens::analysis
