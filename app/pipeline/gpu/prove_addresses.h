// Proves that the CPU engine's addresses are the GPU's: executes the recorded blocks at the addresses that
// the GPU's buffers had, and compares every lane's running hash with the one the GPU kept.
#pragma once

#include <memory>
#include <string>

#include "app/pipeline/gpu/record_launch.h"
#include "instrumentation/decode/decode.h"

namespace warplens::app {

struct Proof {
    /// Where the two differ: a sentence that names the first warp and lane; empty when they do not, and then
    /// the report and the Trace hold the CPU engine's addresses.
    std::string differs;
    std::shared_ptr<analysis::LaunchReport> report;
    std::shared_ptr<trace::Trace> trace;  // null unless the options keep it
};

/// Launch::buffers of `launch` are where the GPU had them; `read` is the recording that `decoded` came from.
/// Errors are of the CPU engine's run: cancelled, no memory, overlapping buffers.
Result<Proof> prove_addresses(LoadedLaunch launch, const instrumentation::RecordingPlan& plan,
                              const instrumentation::ReadBack& read, const instrumentation::Decoded& decoded,
                              const GpuRecordOptions& gpu_options);

}  // namespace warplens::app
