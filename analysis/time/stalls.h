// Stalls: a summary of a Schedule — how the resident warps spent their cycles, how many were eligible, what
// limited the kernel. Modelled, like the Schedule. All pure; a range [begin, end) in cycles restricts each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu_spec.h"
#include "core/warp_state.h"
#include "trace/schedule.h"

namespace warplens::analysis {

struct CycleRange {
    std::uint32_t begin = 0, end = no_index;  // half-open
};

struct StallSummary {
    std::uint64_t cycles = 0;
    std::uint64_t warp_cycles = 0;      // == sum of `states`
    ByWarpState<std::uint64_t> states;  // warp-cycles
    std::uint64_t issued = 0, issue_slots = 0;
    std::uint64_t eligible_cycles = 0;  // eligible warps, summed over cycles

    double share(WarpState state) const {
        return warp_cycles ? double(states[state]) / double(warp_cycles) : 0;
    }
    double issue_active() const { return issue_slots ? double(issued) / double(issue_slots) : 0; }
    /// Mean eligible warps per scheduler and cycle.
    double eligible_warps() const { return issue_slots ? double(eligible_cycles) / double(issue_slots) : 0; }
};

StallSummary summarise(const trace::ScheduleTotals& totals);
/// The same for a range, from the spans.
StallSummary summarise(const trace::Schedule& schedule, CycleRange range);

/// Mean warps in each state over `bins` equal parts of [range), for the curve of eligible warps and stacked
/// areas. One pass over the spans.
struct StateHistory {
    CycleRange range;
    std::vector<ByWarpState<float>> warps;  // per bin: mean resident warps in each state
};
StateHistory history(const trace::Schedule& schedule, CycleRange range, std::size_t bins);

/// The kind of wait in which the warps spent most of their time; states with the same cause are combined, as
/// in the limiting sentence.
struct DominantWait {
    double share = 0;           // share of the warps' time
    std::string_view sentence;  // "waits for shared memory, ...", follows "a warp"
};
DominantWait dominant_wait(const StallSummary& summary);

/// What limited the kernel, in one sentence with its numbers: "Waits for global memory take 71 % of the
/// warps' time and 8 of 64 warps are resident."
std::string limiting_sentence(const trace::Schedule& schedule, const GpuSpec& gpu);

}  // namespace warplens::analysis
