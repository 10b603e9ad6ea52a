// MemoryLevels: where a launch's requests were served, how long they took, and how many bytes moved between
// the levels of memory. The bytes that threads ask for are exact; everything below L1 is the timing model's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/scene/scene.h"
#include "simt/timing/chase_latency.h"
#include "trace/schedule.h"

namespace warplens::app {

struct MemoryLevel {
    std::uint64_t requests = 0;  // loads of the modelled SM whose last data came from here
    double mean_cycles = 0;      // from their issue to the return of the data
    std::uint32_t least_cycles = 0, most_cycles = 0;
    int latency = 0;             // of the GPU, without any queue
    std::uint64_t capacity = 0;  // bytes; 0: not known
};

struct MemoryLevels {
    std::array<MemoryLevel, 4> levels;  // by trace::ServedBy: shared, l1, l2, dram
    const MemoryLevel& operator[](trace::ServedBy by) const { return levels[static_cast<std::size_t>(by)]; }
    MemoryLevel& operator[](trace::ServedBy by) { return levels[static_cast<std::size_t>(by)]; }

    double used_bytes = 0;  // of global and local memory that threads load and store, of the whole launch
    double requested_bytes = 0;  // the same in sectors of 32 bytes, between registers and L1
    double shared_bytes = 0;     // between registers and shared memory, 128 a wavefront
    double l2_bytes = 0;         // between the SMs and L2
    double dram_bytes = 0;
    /// Of the GPU with this launch's share of L1: latency over the working set, modelled.
    std::vector<simt::ChaseLatency> stairs;
    /// Of the capacity of shared memory: what blocks are granted beyond what they declare.
    std::uint64_t reserved_shared_bytes = 0;
    double read_buffers = 0;  // bytes of the buffers that the executed blocks read
    bool estimated = false;   // scaled from the blocks that were executed

    /// Loads of global and local memory, and those of them that no level above served.
    std::uint64_t global_loads() const;
    /// 0 to 1, of the loads that reached the level; 0 if none did.
    double hit_rate(trace::ServedBy by) const;
    /// 0 to 1, of the bytes between registers and L1: those that this level moves and no level below it.
    double share_of_bytes(trace::ServedBy by) const;
};

/// Of the Scene's report and a schedule of its trace.
std::shared_ptr<const MemoryLevels> memory_levels(const Scene& scene, const trace::Schedule& schedule);

}  // namespace warplens::app
