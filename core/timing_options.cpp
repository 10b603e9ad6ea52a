#include "core/timing_options.h"

#include <fmt/format.h>

namespace warplens {

std::string_view to_string(SchedulerPolicy policy) {
    switch (policy) {
        case SchedulerPolicy::oldest_block:
            return "oldest block";
        case SchedulerPolicy::greedy_then_oldest:
            return "greedy then oldest";
        case SchedulerPolicy::round_robin:
            return "round robin";
        case SchedulerPolicy::oldest_first:
            return "oldest first";
    }
    return "unknown";
}

std::string describe(const TimingOptions& options) {
    const TimingOptions usual;
    std::string words;
    const auto add = [&](bool turned, const std::string& what) {
        if (turned) words += (words.empty() ? "" : " · ") + what;
    };
    add(options.max_resident_warps > 0, fmt::format("at most {} warps", options.max_resident_warps));
    add(options.schedulers > 0,
        fmt::format("{} scheduler{}", options.schedulers, options.schedulers == 1 ? "" : "s"));
    add(options.policy != usual.policy, std::string(to_string(options.policy)));
    add(options.dram_latency_factor != usual.dram_latency_factor,
        fmt::format("DRAM latency × {:g}", options.dram_latency_factor));
    add(options.sm_count > 0, fmt::format("{} SM{}", options.sm_count, options.sm_count == 1 ? "" : "s"));
    add(options.ignore_register_limit, "no register limit");
    add(options.ignore_shared_limit, "no shared-memory limit");
    add(options.ignore_block_limit, "no block limit");
    add(options.no_bank_conflicts, "no bank conflicts");
    add(options.perfect_coalescing, "perfect coalescing");
    add(options.full_warps, "full warps");
    add(options.combine_atomics == AtomicCombining::per_warp, "one atomic per warp");
    add(options.combine_atomics == AtomicCombining::per_block, "one atomic per block");
    add(options.data_in_l2, "data in L2");
    return words;
}

}  // namespace warplens
