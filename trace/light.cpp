#include "trace/light.h"

namespace warplens::trace {

void drop_accesses(Trace& trace) {
    trace.accesses.clear();
    trace.exceptions.clear();
    for (WarpRecord& warp : trace.warps) warp.accesses_begin = warp.accesses_end = 0;
}

}  // namespace warplens::trace
