// CopyPipeline: what one block of the modelled SM does over time, in four lanes — loads in flight, waiting,
// computing, stores in flight — and in batches: what a lane does from barrier to barrier, and of a kernel
// that commits asynchronous copies in groups, what it loads from group to group. It shows whether a kernel
// loads the next tile while it computes with this one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::app {

/// Cycles in which at least one warp of the block is busy with a batch, `end` left out.
struct PipelineBar {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t batch = 0;  // what one lane issues from barrier to barrier or group to group, from 0; a
                              // little work behind a barrier belongs to the batch before it
    friend bool operator==(const PipelineBar&, const PipelineBar&) = default;
};

struct CopyPipeline {
    std::uint64_t block = 0;  // linear index in the grid
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> barriers;  // cycles at which the block's warps continue
    std::vector<PipelineBar> load, wait, compute, store;
    std::uint32_t load_cycles = 0;        // in which a load from global memory is in flight
    std::uint32_t compute_cycles = 0;     // in which a warp computes
    std::uint32_t overlapped_cycles = 0;  // both
    std::uint32_t loads = 0, copies = 0;  // requests; copies: asynchronous ones of them
    bool groups = false;                  // batches of loads are groups that the kernel commits
    bool floating = false;  // computing: floating-point arithmetic, integers of a kernel without any
    /// Some lane has more than one batch.
    bool has_batches() const;
};

/// Of the block that arrives first; nullptr if it loads nothing from global memory.
std::shared_ptr<const CopyPipeline> copy_pipeline(const trace::Trace& trace, const trace::Schedule& schedule);

}  // namespace warplens::app
