// Whether a Trace is well formed: every index in range, every array the consecutive parts of the warps. A
// Recorder only builds well-formed ones; a file's content is checked before it is used or written.
#pragma once

#include "core/result.h"
#include "trace/trace.h"

namespace warplens::trace {

/// The static part: basic blocks within the sites, sites' references in range, a launch within PTX's limits.
Status check_static(const Launch& launch, const Program& program);
/// The whole Trace. The message names the first violation.
Status check(const Trace& trace);

}  // namespace warplens::trace
