// The latency staircase of a GPU: the mean latency of a load in a chain of dependent loads that walks a
// working set again and again, as the timing model has it — its L1, its L2 and its DRAM, warm and without
// other work.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sm_timing.h"

namespace warplens::simt {

struct ChaseLatency {
    std::uint64_t bytes = 0;                         // of the working set
    double cycles = 0;                               // a load, on average
    double from_l1 = 0, from_l2 = 0, from_dram = 0;  // shares of the loads, together 1
    friend bool operator==(const ChaseLatency&, const ChaseLatency&) = default;
};

/// One load every 128 bytes. `l1_bytes` of the SM are not taken by shared memory.
ChaseLatency chase_latency(const SmTiming& timing, std::uint32_t l1_bytes, std::uint64_t bytes);
/// From 4 KiB to sixteen times L2, each twice the one before.
std::vector<ChaseLatency> latency_staircase(const SmTiming& timing, std::uint32_t l1_bytes);

}  // namespace warplens::simt
