// The timing model: a Trace's warps on one SM, cycle by cycle, and from it the time of the whole launch. Pure
// and deterministic. docs/timing_model.md lists what is modelled, what is not, and the error compared with an
// H200.
//
// Which blocks: those of the SM that ends last. TimingRequest::sms names it; a Trace with the whole grid
// shows it (busiest_sm.h). Otherwise blocks are taken to be distributed to the SMs round robin, so that one
// SM has those whose linear index has the same remainder by the SM count. The model takes the SM with the
// most blocks in the Trace, and of several such the one with the most steps. Blocks of the SM that the Trace
// lacks continue at the rate of the present ones.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/gpu_spec.h"
#include "core/result.h"
#include "core/timing_options.h"
#include "simt/timing/busiest_sm.h"
#include "simt/timing/machine_code.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::simt {

/// Equally possible beginnings of a launch: see TimingRequest::start.
inline constexpr int start_count = 4;

struct TimingRequest {
    TimingOptions options;
    /// 0 to 3. What the GPU does at that moment is not known: DRAM's refreshes are start quarters of their
    /// interval farther, and the modelled SM is in the other half of L2 if it is 1 or 3. 0 is what is shown.
    /// The answers differ by 1 % (median), and none is better than another: accuracy is judged by all four.
    int start = 0;
    bool keep_spans = true;               // false: only totals and the launch's time
    std::uint64_t max_cycles = 1u << 31;  // per SM; above it the call fails with a message
    std::function<bool()> cancelled;      // called regularly
    /// Of the Trace's program: read_machine_code()'s or lower()'s result. Null: its PTX is lowered here.
    std::shared_ptr<const MachineProgram> code;
    /// SMs of the GPU that may end last, with their blocks: each is timed, and the slowest is the answer.
    /// Empty: see above. Not used if the options change how blocks are distributed.
    std::vector<BlocksOfSm> sms;
    /// Warp-instructions of the whole grid, at the level of `code`: other blocks may do less than the
    /// modelled ones. 0: not known but where the Trace has all blocks.
    std::uint64_t launch_steps = 0;
    /// Each block did what it does when the whole grid runs: work that blocks take from a counter was shared
    /// by all of them.
    bool of_whole_grid = false;
};

/// Fails with a message if the Trace contains no block, the launch does not fit the GPU, or it is cancelled.
Result<trace::Schedule> schedule(const trace::Trace& trace, const GpuSpec& gpu,
                                 const TimingRequest& request = {});

/// Linear indices of the blocks that the first of `sm_count` SMs runs, ascending: the blocks to record for
/// the model. At most `limit`.
std::vector<std::uint64_t> blocks_of_first_sm(std::uint64_t blocks_in_grid, int sm_count,
                                              std::uint64_t limit);

}  // namespace warplens::simt
