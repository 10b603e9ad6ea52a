// The light form of a trace: visits and masks without the addresses, a fraction of the size.
#pragma once

#include "trace/trace.h"

namespace warplens::trace {

/// Removes all accesses; lanes, branches and steps are kept.
void drop_accesses(Trace& trace);

}  // namespace warplens::trace
