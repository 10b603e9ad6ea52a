// Undefined values: what a shuffle gives a lane that reads one which does not take part. CUDA leaves the
// value undefined and allows the read: a sum over `__shfl_down_sync(0xff, …)` by lanes 0 to 7 is right, since
// no lane uses what lanes 4 to 7 get. Whether one is used is found by following it through the registers of
// the block that has it, and of the last block, whose threads may have ended: see
// simt/functional/block/value_log.h. A value is used when it reaches memory, a condition or a call. Not
// followed: other blocks. Machine code does not say which lanes a shuffle names: at that level the PTX that
// it was assembled from is executed and followed. Internal to the pipeline.
#pragma once

#include <functional>

#include "app/pipeline/pipeline.h"

namespace warplens::app {

/// Undefined values that nothing uses are notes of the report, and no problems. `launch` as it was loaded;
/// its buffers may be empty, they are filled again. What cannot be followed to its end stays a problem.
void settle_undefined_values(analysis::LaunchReport& report, const LoadedLaunch& launch,
                             const std::function<bool()>& cancelled);

/// At the machine level: those that the PTX has, in about 20 million steps of it, by the same rule, at the
/// machine instructions of their lines. Of a .cubin, which has no PTX, none.
void add_undefined_values(analysis::LaunchReport& report, const LoadedLaunch& launch,
                          const std::function<bool()>& cancelled);

}  // namespace warplens::app
