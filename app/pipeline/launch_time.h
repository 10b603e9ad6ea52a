// LaunchTime: the modelled time of an executed launch, for its report. The counts are of the level that was
// executed. The time may be of the machine code all the same: then the blocks that the model looks at are
// executed once more, from machine code, and the counts stay as they are.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/pipeline/pipeline.h"
#include "core/block_work.h"

namespace warplens::app {

/// What an executed launch leaves for its time.
struct ExecutedLaunch {
    LoadedLaunch launch;                        // may lack the contents of its buffers
    std::shared_ptr<const trace::Trace> trace;  // of at least the blocks that the model looks at
    std::vector<BlockWork> work;                // of the blocks executed, ascending; empty: not known
    bool completed = true;                      // no block was stopped by a problem
};

/// The engine leaves out a call that does not fit on the stack, in the PTX. Machine code knows no calls: an
/// endless recursion would run on beyond its stack, until its steps are at an end. The error is a clause.
Status recursion_ends(const analysis::LaunchReport& report);

/// Fills the report's schedule and roofline as `options` ask for it. Where the machine code was asked for
/// and cannot be timed, the time is that of the PTX, and the schedule says why.
Status add_time(analysis::LaunchReport& report, const ExecutedLaunch& executed,
                const ExecuteOptions& options);

/// The same for a launch that a GPU executed. `launch`: where its machine code is to be timed; null: it is
/// not, for the reason `why_ptx`, which may be empty.
Status time_recorded(analysis::LaunchReport& report, const std::shared_ptr<const trace::Trace>& trace,
                     const LoadedLaunch* launch, const std::string& why_ptx,
                     const std::function<bool()>& cancelled = {});

}  // namespace warplens::app
