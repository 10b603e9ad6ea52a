// Whether a Trace is well formed: every index in range, every array the warps' parts one after another. What
// a Recorder builds is; a file's content is checked before it is used, and so is what is written.
#pragma once

#include "core/result.h"
#include "trace/trace.h"

namespace warplens::trace {

/// The static part: basic blocks within the sites, sites' references in range, a launch within PTX's limits.
Status check_static(const Launch& launch, const Program& program);
/// The whole Trace. The sentence names the first thing that is wrong.
Status check(const Trace& trace);

}  // namespace warplens::trace
