// ScheduleSums: prefix sums of a Schedule's states, which answer queries on any range of cycles of any warp
// slot in constant time. The zoomed-out timeline draws them, and a dragged range measures with them. At
// regular intervals each slot stores how long its warps have been in each state since the beginning; the
// spans have the rest. Exact, except that columns() spreads a range over pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/time/stalls.h"
#include "trace/schedule.h"

namespace warplens::analysis {

/// One slot of a scheduler and its warps over time.
struct SlotRow {
    std::uint16_t scheduler = 0, slot = 0;
    std::vector<std::uint32_t> warps;  // indices into Schedule::warps, by arrival
};

class ScheduleSums {
  public:
    /// One pass over the spans. Takes about 64 / spans_per_bin bytes per span.
    explicit ScheduleSums(std::shared_ptr<const trace::Schedule> schedule, std::uint32_t spans_per_bin = 16);

    const trace::Schedule& schedule() const { return *schedule_; }
    /// By scheduler, then slot.
    const std::vector<SlotRow>& rows() const { return rows_; }
    /// Cycles from the first arrival to the last departure.
    std::uint32_t cycles() const { return cycles_; }

    /// Cycles that a row's warps spend in each state within a range; the rest of the range had no warp.
    ByWarpState<std::uint32_t> states(std::size_t row, CycleRange range) const;
    /// The same for `out.size()` equal parts of [begin, end), as shares of a part. If a part is longer than a
    /// bin, states are assumed to be evenly spread within a bin.
    void columns(std::size_t row, double begin, double end, std::span<ByWarpState<float>> out) const;
    /// For columns shorter than a bin: calls use(column, state, share) for every part of a column that a span
    /// covers, in order. Iterates over the spans.
    template <class Use>
    void for_each_share(std::size_t row, double begin, double end, std::size_t columns, Use&& use) const;
    /// Over all rows: equals summarise(schedule, range).
    StallSummary summarise(CycleRange range) const;

    /// The warp in a row at a cycle (index into Schedule::warps), or no_index.
    std::uint32_t warp_at(std::size_t row, std::uint32_t cycle) const;
    /// Lower bound on the spans in a range of a row: exact except for the bins at its ends.
    std::uint64_t span_count(std::size_t row, CycleRange range) const;
    /// Calls use(warp index, span, begin, end) for the spans of a row that overlap `range`, in order; begin
    /// and end are the span's own.
    template <class Use>
    void for_each_span(std::size_t row, CycleRange range, Use&& use) const;

    std::uint32_t bin_cycles() const { return 1u << bin_shift_; }
    std::size_t bytes() const;

  private:
    /// The sums and positions at the beginning of a bin.
    struct Mark {
        ByWarpState<std::uint32_t> before;  // cycles in each state, from cycle 0
        std::uint32_t warp = 0;             // into SlotRow::warps: the first that departs later
        std::uint32_t span = 0;             // of that warp: the first that ends later
    };
    struct Place {
        std::uint32_t warp, span;
    };
    const Mark& mark(std::size_t row, std::uint32_t bin) const { return marks_[row * bins_ + bin]; }
    void fill(std::size_t row);
    void add_states(std::size_t row, std::uint32_t cycle, ByWarpState<std::uint32_t>& sums) const;

    std::shared_ptr<const trace::Schedule> schedule_;
    std::vector<SlotRow> rows_;
    std::uint32_t cycles_ = 0;
    std::uint32_t bin_shift_ = 0;
    std::uint32_t bins_ = 0;  // per row: cycles_ / bin_cycles() rounded up, and one for the end
    std::vector<Mark> marks_;
};

template <class Use>
void ScheduleSums::for_each_span(std::size_t row, CycleRange range, Use&& use) const {
    range.end = range.end < cycles_ ? range.end : cycles_;
    if (range.begin >= range.end) return;
    const Mark& from = mark(row, range.begin >> bin_shift_);
    std::size_t first = from.span;
    for (std::size_t w = from.warp; w < rows_[row].warps.size(); ++w, first = 0) {
        const std::uint32_t index = rows_[row].warps[w];
        const trace::ScheduledWarp& warp = schedule_->warps[index];
        if (warp.arrival >= range.end) return;
        const auto spans = trace::spans_of(*schedule_, warp);
        for (std::size_t i = first; i < spans.size(); ++i) {
            if (spans[i].begin >= range.end) return;
            const std::uint32_t end = i + 1 < spans.size() ? spans[i + 1].begin : warp.departure;
            if (end > range.begin) use(index, spans[i], spans[i].begin, end);
        }
    }
}

template <class Use>
void ScheduleSums::for_each_share(std::size_t row, double begin, double end, std::size_t columns,
                                  Use&& use) const {
    if (columns == 0 || end <= begin || begin >= cycles_ || end <= 0) return;
    const auto count = static_cast<double>(columns);
    const double scale = count / (end - begin);
    const auto last_cycle = end < cycles_ ? static_cast<std::uint32_t>(end) + 1 : cycles_;
    const CycleRange range{begin > 0 ? static_cast<std::uint32_t>(begin) : 0, last_cycle};
    for_each_span(row, range,
                  [&](std::uint32_t, const trace::StateSpan& span, std::uint32_t b, std::uint32_t e) {
                      const double first = (b - begin) * scale > 0 ? (b - begin) * scale : 0;
                      const double last = (e - begin) * scale < count ? (e - begin) * scale : count;
                      if (last <= first) return;
                      auto i = static_cast<std::size_t>(first);
                      const auto j = static_cast<std::size_t>(last);
                      if (i == j) return use(i, span.state(), static_cast<float>(last - first));
                      use(i, span.state(), static_cast<float>(static_cast<double>(i + 1) - first));
                      while (++i < j) use(i, span.state(), 1.0f);
                      if (j < columns)
                          use(j, span.state(), static_cast<float>(last - static_cast<double>(j)));
                  });
}

}  // namespace warplens::analysis
