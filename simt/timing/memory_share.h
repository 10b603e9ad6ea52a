// MemoryShare: how much of the launch's global memory the modelled SM fetches for itself. Its own blocks say
// which bytes it touches; the rest of the launch touches the same buffers. Where the blocks together would
// touch a buffer more often than it has bytes, they share, and a first touch finds its data in L2 that often.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu_spec.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/request_table.h"

namespace warplens::simt {

/// DRAM moves 64 bytes at a time (measured: docs/timing_model.md).
inline constexpr std::uint64_t granule_bytes = 64;

struct MemoryShare {
    struct Buffer {
        std::uint64_t begin = 0, end = 0;  // granules, half-open
        double first_touch_misses = 1;     // share of the SM's first touches that nobody has made before
        double sharers = 1;                // SMs that touch the same data at about the same time
    };
    std::vector<Buffer> buffers;  // ascending
    double launch_bytes = 0;      // distinct bytes touched by the whole launch, estimated
    double written_bytes = 0;     // of them written
    double write_back = 0;        // share of the written bytes that leave L2 for DRAM before the launch ends
    double evicted_after = 0;     // bytes the SM may touch before its earlier ones have left L2; 0: they stay

    const Buffer* find(std::uint64_t granule) const;
};

MemoryShare share_memory(const trace::Trace& trace, const LaunchPlan& plan, const SmTiming& timing,
                         const RequestTable& requests, bool data_in_l2);

}  // namespace warplens::simt
