#include "instrumentation/decode/open_barriers.h"

#include <algorithm>

namespace warplens::instrumentation {

namespace {

/// The block's warps at one barrier: its place among those that each of them passes.
struct Opening {
    std::uint32_t basic_block = no_index;  // behind the barrier
    std::int64_t last = 0;                 // arrival, in cycles from the start of the block's first warp
    std::size_t warps = 0;
    bool same = true;
};

class Openings {
  public:
    Openings(const BlockTable& table, std::span<const trace::MeasuredWarp> warps,
             std::span<const WarpClock> clocks, std::vector<trace::MeasuredVisit>& visits)
        : table_(table), warps_(warps), clocks_(clocks), visits_(visits) {}

    void find() {
        for (std::size_t w = 0; w < warps_.size(); ++w)
            for_each_barrier(w, [&](const trace::MeasuredVisit& visit, std::size_t barrier) {
                if (openings_.size() <= barrier) openings_.resize(barrier + 1);
                Opening& opening = openings_[barrier];
                if (opening.warps == 0) opening.basic_block = visit.basic_block;
                opening.same &= opening.basic_block == visit.basic_block;
                const std::int64_t arrival = start_of(w) + visit.arrived;
                opening.last = opening.warps == 0 ? arrival : std::max(opening.last, arrival);
                ++opening.warps;
            });
    }

    void set() {
        for (std::size_t w = 0; w < warps_.size(); ++w) {
            for_each_barrier(w, [&](trace::MeasuredVisit& visit, std::size_t barrier) {
                const Opening& opening = openings_[barrier];
                const std::int64_t last = opening.last - start_of(w);
                const std::int64_t next = next_clock(w, visit);
                if (!opening.same || opening.warps != warps_.size() || last > next) {
                    visit.entered = visit.arrived = trace::no_time;
                    return;
                }
                visit.entered = static_cast<std::uint32_t>(std::min(last + cycles_to_go_on, next));
            });
        }
    }

  private:
    template <class Work>
    void for_each_barrier(std::size_t warp, const Work& work) {
        std::size_t barriers = 0;
        for (std::uint64_t i = warps_[warp].visits_begin; i < warps_[warp].visits_end; ++i) {
            const BlockRow& row = table_.blocks[visits_[i].basic_block];
            if (row.clock_of_arrival && visits_[i].arrived != trace::no_time && barriers > 0)
                work(visits_[i], barriers - 1);
            barriers += row.barrier;
        }
    }

    std::int64_t start_of(std::size_t warp) const {
        return static_cast<std::int32_t>(clocks_[warp].start - clocks_.front().start);
    }

    /// Of the warp, after it went on.
    std::int64_t next_clock(std::size_t warp, const trace::MeasuredVisit& visit) const {
        for (std::uint64_t i = static_cast<std::uint64_t>(&visit - visits_.data()) + 1;
             i < warps_[warp].visits_end; ++i) {
            const trace::MeasuredVisit& next = visits_[i];
            if (next.entered != trace::no_time)
                return next.arrived != trace::no_time ? next.arrived : next.entered;
        }
        return warps_[warp].end;
    }

    const BlockTable& table_;
    const std::span<const trace::MeasuredWarp> warps_;
    const std::span<const WarpClock> clocks_;
    std::vector<trace::MeasuredVisit>& visits_;
    std::vector<Opening> openings_;  // in the order in which warps pass them
};

}  // namespace

void open_barriers(const BlockTable& table, std::span<const trace::MeasuredWarp> warps,
                   std::span<const WarpClock> clocks, std::vector<trace::MeasuredVisit>& visits) {
    if (!table.derives_openings || warps.empty()) return;
    Openings openings(table, warps, clocks, visits);
    openings.find();
    openings.set();
}

}  // namespace warplens::instrumentation
