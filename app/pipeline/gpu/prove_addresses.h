// Proves that the CPU engine's addresses are the GPU's: executes the recorded blocks at the addresses that
// the GPU's buffers had, and compares every lane's running hash with the one the GPU kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

/// A recording with hashes, which came from one launch. Nothing is owned.
struct HashedRecording {
    const instrumentation::RecordingPlan* plan = nullptr;
    const instrumentation::ReadBack* read = nullptr;
    const instrumentation::Decoded* decoded = nullptr;  // `warps` and `hashes` are asked for
};

/// Launch::buffers of `launch` are where the GPU had them; all of `recordings` are compared. Errors are of
/// the CPU engine's run: cancelled, no memory, overlapping buffers.
Result<Proof> prove_addresses(LoadedLaunch launch, const std::vector<HashedRecording>& recordings,
                              const GpuRecordOptions& gpu_options);

}  // namespace warplens::app
