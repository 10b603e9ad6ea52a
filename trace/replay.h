// Replay: reports a stored Trace to an Observer as the engine did, so that every fold over events also works
// on a file. Each warp's events come in their order; between barriers warps come one after another, which is
// one of the possible orders of an engine. Named barriers with a thread count are released together with
// barrier 0.
#pragma once

#include "trace/observer.h"
#include "trace/trace.h"

namespace warplens::trace {

/// All recorded blocks, ascending, on the calling thread.
void replay(const Trace& trace, Observer& observer);

}  // namespace warplens::trace
