// ScheduleLog: records the model's decisions per cycle as a Schedule's spans, flights and totals.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/schedule.h"

namespace warplens::simt {

/// A warp's state from a cycle on.
struct WarpCondition {
    WarpState state = WarpState::no_instruction;
    SiteId site = 0;
    std::uint32_t step = 0;
    std::uint32_t cause = no_index;
    friend bool operator==(const WarpCondition&, const WarpCondition&) = default;
};

class ScheduleLog {
  public:
    ScheduleLog(bool keep_spans, std::size_t sites) : keep_spans_(keep_spans), site_states_(sites) {}

    /// Numbers the block's warps after all others; returns the first number.
    std::uint32_t arrive(std::uint64_t block, std::uint32_t first_record, std::uint32_t warp_count,
                         std::uint32_t cycle);
    void place(std::uint32_t warp, int scheduler, int slot);
    /// The warp is in `condition` from `cycle` on.
    void enter(std::uint32_t warp, std::uint32_t cycle, const WarpCondition& condition);
    void flight(std::uint32_t warp, const trace::Flight& flight);
    void repeated_load(std::uint32_t cycles) {
        ++totals_.repeated_loads;
        totals_.repeated_load_cycles += cycles;
    }
    void issue(std::uint32_t warp, const trace::Issue& issue);
    void barrier(std::uint32_t block, std::uint32_t cycle, SiteId site);
    void depart(std::uint32_t warp, std::uint32_t cycle);

    std::uint32_t block_of(std::uint32_t warp) const { return warps_[warp].row.block; }
    /// Fills the schedule's blocks, warps, spans, flights, barriers and totals.
    void finish(trace::Schedule& schedule);

  private:
    struct Warp {
        trace::ScheduledWarp row;
        std::uint32_t since = 0;  // cycle of the current condition
        WarpCondition now;
        bool entered = false;
        std::vector<trace::StateSpan> spans;
        std::vector<trace::Flight> flights;
        std::vector<trace::Issue> issues;
    };
    void close(Warp& warp, std::uint32_t cycle);

    bool keep_spans_;
    std::vector<Warp> warps_;
    std::vector<trace::ScheduledBlock> blocks_;
    std::vector<trace::BarrierRelease> barriers_;
    trace::ScheduleTotals totals_;
    std::vector<ByWarpState<std::uint64_t>> site_states_;
};

}  // namespace warplens::simt
