// TimingOptions: the knobs that only the timing model can turn — what if the SM, the memory or the kernel's
// accesses were different? Default: the GPU as its GpuSpec says. Part of a Schedule, so that what was asked
// stays with the answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Which eligible warp a scheduler takes.
enum class SchedulerPolicy : std::uint8_t {
    round_robin,         // the next in slot order after the one it took last: what the probes look like
    greedy_then_oldest,  // the one it took last while that can issue, else the one resident longest
    oldest_first,        // always the one resident longest
};
std::string_view to_string(SchedulerPolicy policy);  // "greedy then oldest", …

/// Which atomics the kernel would combine before it issues one: sums, minima, maxima and bitwise operations.
/// What combining them takes is not modelled.
enum class AtomicCombining : std::uint8_t {
    none,
    per_warp,   // one per warp and address
    per_block,  // one per block and address
};

struct TimingOptions {
    int max_resident_warps = 0;  // maximum warps per SM, in whole blocks, at least one; 0: as occupancy says
    int schedulers = 0;          // an SM; 0: as the GPU has
    SchedulerPolicy policy = SchedulerPolicy::round_robin;
    double dram_latency_factor = 1;  // the way from L2 to DRAM and back, times this
    int sm_count = 0;                // 0: as the GPU has; DRAM and L2 stay as they are
    bool ignore_register_limit = false;
    bool ignore_shared_limit = false;
    bool ignore_block_limit = false;  // blocks an SM
    bool no_bank_conflicts = false;   // every shared request takes its ideal wavefronts
    bool perfect_coalescing = false;  // every global request moves its ideal sectors
    AtomicCombining combine_atomics = AtomicCombining::none;
    bool data_in_l2 =
        false;  // an earlier launch has left the data in L2, as far as they fit, and the code cached

    friend bool operator==(const TimingOptions&, const TimingOptions&) = default;
};

/// What was turned away from the default, joined by " · ": "no bank conflicts · DRAM latency × 0.5"; empty
/// when nothing was.
std::string describe(const TimingOptions& options);

}  // namespace warplens
