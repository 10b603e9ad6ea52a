// MemoryPlaces: what a line's place in memory costs, where it was measured: L2 and the DRAM behind it are two
// partitions, each near to half of the SMs, L2 is slices, and stacks of DRAM are refreshed. SmTiming has the
// means of all places. docs/timing_model.md names the source of each figure.
#pragma once

#include <cstdint>

#include "core/gpu_spec.h"

namespace warplens::simt {

struct MemoryPlaces {
    /// The parity of these address bits says in which partition a line is; 0: not known, and every place has
    /// the mean latency.
    std::uint64_t partition_bits = 0;
    double dram_far = 0, atomic_far = 0;  // cycles by which a far line takes longer than a near one
    int stacks = 1;                       // of DRAM, refreshed one after another,
    double refresh_interval = 0;          // each once in as many cycles; 0: not known
    double refresh = 0;                   // cycles that a read waits which comes when it begins
    int slices = 96;                      // of L2, an even number: each does atomics one after another;
    double busiest = 1.36;                // of more than 4 KiB the busiest slice has so many times the mean
    // Cycles by which the SM that is farthest from L2 waits longer for a hit and for an atomic than SmTiming
    // says.
    double l2_hit_farthest = 0, atomic_farthest = 0;
};

/// A GPU's; of one that was not measured, without places, but with the H200's slices.
const MemoryPlaces& memory_places(const GpuSpec& gpu);

}  // namespace warplens::simt
