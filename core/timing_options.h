// TimingOptions: the knobs that only the timing model can turn — what if the SM, the memory or the kernel's
// accesses were different? Default: the GPU of its GpuSpec. Part of a Schedule, so that the question stays
// with the answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warplens {

/// Which eligible warp a scheduler takes.
enum class SchedulerPolicy : std::uint8_t {
    oldest_block,        // the last one while it can issue, else of the oldest block the one whose turn it is
    greedy_then_oldest,  // the last one while it can issue, else the one resident longest
    oldest_first,        // always the one resident longest
    round_robin,         // the next in slot order after the last one
};
std::string_view to_string(SchedulerPolicy policy);  // "greedy then oldest", …

/// Which atomics the kernel would combine before it issues one: sums, minima, maxima and bitwise operations.
/// The cost of combining is not modelled.
enum class AtomicCombining : std::uint8_t {
    none,
    per_warp,   // one per warp and address
    per_block,  // one per block and address, neighbouring addresses in one request
};

struct TimingOptions {
    int max_resident_warps = 0;  // maximum warps per SM, in whole blocks, at least one; 0: as occupancy says
    int schedulers = 0;          // per SM; 0: as the GPU has
    SchedulerPolicy policy = SchedulerPolicy::oldest_block;
    double dram_latency_factor = 1;  // the way from L2 to DRAM and back, times this
    int sm_count = 0;                // 0: as the GPU has; DRAM and L2 stay as they are
    bool ignore_register_limit = false;
    bool ignore_shared_limit = false;
    bool ignore_block_limit = false;  // blocks per SM
    bool no_bank_conflicts = false;   // every shared request takes its ideal wavefronts
    bool perfect_coalescing = false;  // every global request moves its ideal sectors
    bool full_warps = false;          // lanes that take the same path share a warp: the work of partly active
                                      // warps is issued as often as full warps would
    AtomicCombining combine_atomics = AtomicCombining::none;
    bool data_in_l2 =
        false;  // an earlier launch has left the data in L2, as far as it fits, and the code cached

    friend bool operator==(const TimingOptions&, const TimingOptions&) = default;
};

/// The settings that differ from the defaults, joined by " · ": "no bank conflicts · DRAM latency × 0.5";
/// empty if there are none.
std::string describe(const TimingOptions& options);

}  // namespace warplens
