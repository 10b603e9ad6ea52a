// Observer: the only interface between an engine that executes a kernel and the consumers of its events. The
// CPU engine calls it while it runs, trace/replay.h calls it from a stored Trace, so a fold over events works
// with both. Blocks run in parallel, each with its own BlockObserver on one thread; events of one block come
// in execution order, and `finish` returns the BlockObservers in block order for any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/lane_mask.h"
#include "core/launch.h"
#include "core/problem.h"
#include "core/program.h"

namespace warplens::trace {

using Addresses = std::array<std::uint64_t, warp_size>;
using Lanes = std::array<std::uint8_t, warp_size>;

/// 16 consecutive lanes, of which each accesses a place `step` bytes after that of the lane before.
struct LaneRun {
    std::uint64_t first;  // of its lowest lane
    std::uint32_t step;
};

/// Lanes 0 to 15, and 16 to 31.
struct LaneRuns {
    LaneRun low, high;
};

/// One warp-level memory instruction with at least one active lane: a request. Addresses are bytes; global
/// ones as used by the kernel, shared ones from the start of the block's shared memory, local ones within
/// each thread's own local memory. Lanes outside `mask` hold unspecified addresses.
struct Access {
    SiteId site;
    LaneMask mask;  // active and not predicated off
    Space space;    // resolved: never `none`, also for a generic access
    Operation operation;
    std::uint32_t bytes_per_lane;
    const Addresses* addresses;
    const LaneRuns* runs = nullptr;  // the same of all lanes, if the producer knows them to be two runs
};

/// Receives the events of one block. `warp` counts within the block. The defaults ignore everything.
class BlockObserver {
  public:
    virtual ~BlockObserver() = default;
    /// Lanes `active` of a warp begin to execute a basic block, and will execute all of it unless the run
    /// stops.
    virtual void visit(int /*warp*/, BasicBlockId /*block*/, LaneMask /*active*/) {}
    /// A request. Comes after the visit it belongs to, in site order.
    virtual void access(int /*warp*/, const Access& /*access*/) {}
    /// A guarded instruction other than a branch ran: `executed` of the active lanes were not predicated off.
    /// For a memory instruction it precedes the access, and comes even if no lane is left.
    virtual void guard(int /*warp*/, SiteId /*site*/, LaneMask /*executed*/) {}
    /// A conditional branch ran: `taken` of the active lanes jumped.
    virtual void branch(int /*warp*/, SiteId /*site*/, LaneMask /*active*/, LaneMask /*taken*/) {}
    /// Lanes arrive at a block-wide barrier.
    virtual void barrier(int /*warp*/, SiteId /*site*/, LaneMask /*arrived*/) {}
    /// Lanes of a warp exchanged values; `values` has a number below 32 per lane. After a shuffle: the lane's
    /// source lane, itself if the source is outside its segment. After a vote: 1 if the predicate is true,
    /// else 0. After a match: the lowest lane of `mask` with the same value. Lanes outside `mask` hold
    /// unspecified numbers. Comes, like an access, after the visit it belongs to, in site order.
    virtual void exchange(int /*warp*/, SiteId /*site*/, LaneMask /*mask*/, const Lanes& /*values*/) {}
    /// All expected warps have arrived; they continue together.
    virtual void barrier_release() {}
};

/// Receives the events of a launch. `begin_block` is called from worker threads and must be safe to call in
/// parallel; `finish` is called on one thread at a time, for blocks in ascending order.
class Observer {
  public:
    virtual ~Observer() = default;
    /// nullptr: ignores this block, and `finish` gets a nullptr.
    virtual std::unique_ptr<BlockObserver> begin_block(std::uint64_t linear_block) = 0;
    virtual void finish(std::uint64_t linear_block, std::unique_ptr<BlockObserver> observer) = 0;
};

}  // namespace warplens::trace
