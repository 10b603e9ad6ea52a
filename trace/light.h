// The light form of a trace: visits and masks without the addresses, a fraction of the size.
#pragma once

#include "trace/trace.h"

namespace warplens::trace {

/// Forgets every access; lanes, branches and steps stay.
void drop_accesses(Trace& trace);

}  // namespace warplens::trace
