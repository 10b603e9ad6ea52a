// MemoryShare: how much of the launch's global memory the modelled SM fetches itself. Its own blocks
// determine which bytes it accesses; the rest of the launch accesses the same buffers. If all blocks together
// access more bytes than a buffer has, they share it, and that share of first accesses hits in L2.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu_spec.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/memory_places.h"
#include "simt/timing/request_table.h"

namespace warplens::simt {

/// DRAM moves 64 bytes at a time (measured: docs/timing_model.md).
inline constexpr std::uint64_t granule_bytes = 64;

struct MemoryShare {
    struct Buffer {
        std::uint64_t begin = 0, end = 0;  // granules, half-open
        double first_touch_misses = 1;     // share of the SM's first accesses that are the first of all SMs
        double sharers = 1;                // SMs that access the same data at about the same time
        bool scattered = false;            // which SM reads a place when is as good as drawn
        double first_of_half = 0;  // with its data in L2: share of the SM's first accesses that are the first
                                   // of those SMs that are near to the same half of L2
    };
    std::vector<Buffer> buffers;  // ascending
    double launch_bytes = 0;      // distinct bytes accessed by the whole launch, estimated
    double written_bytes = 0;     // of these, bytes written
    double write_back = 0;        // share of the written bytes that L2 writes to DRAM before the launch ends
    double launch_per_sm_byte = 1;  // bytes that the launch accesses while the SM accesses one

    std::vector<double> slices;  // of the launch's atomics, by slice of L2; empty if it has none

    const Buffer* find(std::uint64_t granule) const;
};

/// Whether the runs of granules that an SM accesses begin at places as good as drawn: their distances differ
/// as much, and as few are equal. Strides, tiles and lattices have few distances, rows of their own lengths
/// nearly one. A few runs say nothing. A bit for each granule of a buffer.
bool at_random_places(const std::vector<bool>& granules);

/// Share of an SM's lines that L2 still holds after the launch has accessed `bytes` more (measured:
/// docs/timing_model.md).
double share_kept_in_l2(const SmTiming& timing, double bytes);

MemoryShare share_memory(const trace::Trace& trace, const LaunchPlan& plan, const SmTiming& timing,
                         const MemoryPlaces& places, const RequestTable& requests, bool data_in_l2);

}  // namespace warplens::simt
