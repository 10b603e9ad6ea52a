// Compares a GPU's recording with the CPU engine: executes the same blocks of the same launch and compares
// the two Traces.
#pragma once

#include <string>

#include "app/pipeline/pipeline.h"
#include "trace/agreement.h"

namespace warplens::app {

/// The launch that `recorded` is of, for the CPU engine: its own PTX, which needs no compiler, on the
/// kernel's buffers. `kernel` is in the state that was recorded.
Result<LoadedLaunch> launch_of_recording(std::shared_ptr<const instrumentation::KernelFile> kernel,
                                         const trace::Trace& recorded);

/// The agreement of `recorded` with the CPU engine's run of the blocks it holds, by compare_traces. Without
/// addresses when the recording has none.
Result<trace::Agreement> agree_with_engine(Pipeline& pipeline, const LoadedLaunch& launch,
                                           const trace::Trace& recorded);

/// `addresses` is false when one of the two has none. In warps that differ, what depends on a clock, on the
/// place of a warp or on the order of atomic operations is not compared.
trace::Agreement compare_traces(const trace::Trace& cpu, const trace::Trace& gpu, bool addresses);

/// "320 warps and 12,345 records agree", or how many do not, and the first difference.
std::string agreement_words(const trace::Agreement& agreement);

}  // namespace warplens::app
