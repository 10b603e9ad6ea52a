// The timing model: a Trace's warps on one SM, cycle by cycle, and from it the time of the whole launch. Pure
// and deterministic. docs/timing_model.md says what is modelled, what is not, and how far it is from an H200.
//
// Which blocks: blocks go to the SMs round robin, so one SM has those whose linear index leaves the same rest
// by the SM count. Modelled is the SM of which the Trace holds most blocks, and of several such the one whose
// blocks take most steps; blocks that it runs and the Trace lacks go on at the rate of those there are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/gpu_spec.h"
#include "core/result.h"
#include "core/timing_options.h"
#include "simt/timing/machine_code.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::simt {

struct TimingRequest {
    TimingOptions options;
    bool keep_spans = true;                      // false: totals and the launch's time alone
    std::uint64_t max_cycles = 1u << 31;         // of the SM; past it the call fails with a sentence
    std::function<bool()> cancelled;             // asked now and then
    std::shared_ptr<const MachineProgram> code;  // lower()'s result when it is at hand; null: made here
};

/// Fails with a sentence when the Trace holds no block, the launch does not fit the GPU, or when cancelled.
Result<trace::Schedule> schedule(const trace::Trace& trace, const GpuSpec& gpu,
                                 const TimingRequest& request = {});

/// Linear indices of the blocks that the first of `sm_count` SMs runs, ascending: what to record for the
/// model. At most `limit`.
std::vector<std::uint64_t> blocks_of_first_sm(std::uint64_t blocks_in_grid, int sm_count,
                                              std::uint64_t limit);

}  // namespace warplens::simt
