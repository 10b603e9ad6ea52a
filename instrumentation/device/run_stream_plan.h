// Carries out a StreamPlan on a GPU and measures it: the totals of each way of doing the work with a timer at
// its two ends only, then each operation's span. Timers around every operation of a chain of short kernels
// would take longer than the kernels, so there a run has timers around one or a few of its operations only,
// and there are as many runs as it takes. Runs in the recorder's child.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "instrumentation/device/stream_driver.h"
#include "instrumentation/device/stream_plan.h"
#include "trace/activity.h"

namespace warplens::instrumentation {

/// The GPU with the launch's kernel loaded and its buffers in place.
struct StreamDevice {
    const cuda::CudaDriver& driver;
    const cuda::StreamDriver& streams;
    cuda::Function kernel = nullptr;
    std::vector<std::uint64_t> buffers;  // addresses of GpuLaunch::buffers
    std::vector<std::uint64_t> bytes;    // their sizes
    /// Looks at what a call returned; false: it failed, and the plan is given up.
    std::function<bool(cuda::Code code, std::string_view doing)> ok;
    /// All buffers as they were given, when it returns.
    std::function<bool()> restore;
    /// The next part begins, which takes less than a second unless something hangs; false: give up.
    std::function<bool()> next_part;
};

struct StreamRunOptions {
    int warm_ups = 3;             // before the totals
    int repeats = 9;              // of the totals
    int samples = 11;             // of each span, at most
    double seconds_a_part = 0.5;  // at most, of runs that are timed together
    double seconds = 1.5;         // about, of all runs for the spans of a variant
    int most_parts = 64;          // of a variant's spans
    double long_us = 5;           // operations that take so long on the mean are all timed in one run
};

/// The plan must have passed check(). Device, driver and date of the activities are left to the caller. False
/// when something failed or was given up; `ok` knows what.
bool run_stream_plan(const StreamDevice& device, const StreamPlan& plan, const StreamRunOptions& options,
                     std::vector<trace::Activity>& activities);

}  // namespace warplens::instrumentation
