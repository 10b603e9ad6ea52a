// LaunchPlan: which of the Trace's blocks the modelled SM runs, how many are resident, and its share of the
// GPU's memory — from the GPU and the what-if knobs. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu_spec.h"
#include "core/result.h"
#include "core/sm_timing.h"
#include "core/timing_options.h"
#include "simt/timing/busiest_sm.h"
#include "trace/trace.h"

namespace warplens::simt {

struct LaunchPlan {
    struct Block {
        std::uint64_t block = 0;                       // linear index in the grid
        std::uint32_t first_warp = 0, warp_count = 0;  // into Trace::warps
    };
    std::vector<Block> blocks;         // in the order in which the SM receives them
    std::vector<std::uint32_t> warps;  // of all blocks: indices into Trace::warps, ascending
    std::uint64_t blocks_on_sm = 0;    // blocks that the SM runs in the whole launch
    std::uint64_t blocks_in_grid = 0;
    double launch_work = 1;   // of the launch, in units of the work of `blocks`
    int resident_blocks = 0;  // upper limit
    int schedulers = 4;
    int sm_count = 1;            // of the GPU, or the knob's value
    int active_sms = 1;          // SMs with at least one block
    int busy_sms = 1;            // of them, as many as there are if all work as much and as long as this one
    std::uint32_t l1_bytes = 0;  // the rest beside the resident blocks' shared memory
    std::uint32_t warps_per_block = 1;
    std::vector<std::string> notes;

    /// Blocks of the launch that are resident on the SM.
    std::uint64_t blocks_at_once() const {
        return std::min(blocks_on_sm, static_cast<std::uint64_t>(resident_blocks));
    }
    bool sample_is_too_small() const { return blocks.size() < blocks_at_once(); }
};

/// How far from the mean the most extreme of so many SMs is, of 132 SMs' 1: of n draws the largest is some
/// sqrt(2 ln n) standard deviations above the mean.
double most_extreme_of(int sms);

/// One plan per SM that may end last, at least one. `sms` and `launch_steps`: as in TimingRequest. Fails with
/// a message if the Trace contains no block or the block does not fit the GPU.
Result<std::vector<LaunchPlan>> plan_launch(const trace::Trace& trace, const GpuSpec& gpu,
                                            const SmTiming& timing, const TimingOptions& options,
                                            const std::vector<BlocksOfSm>& sms, std::uint64_t launch_steps);

}  // namespace warplens::simt
