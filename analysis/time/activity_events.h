// ActivityEvents: measured streams in the trace event format of Chrome and Perfetto: one process for each
// activity, one row for each stream and for graph launches. Times are real microseconds, unlike
// analysis/time/trace_events.h, whose unit is a cycle: the two are never in one file.
#pragma once

#include <vector>

#include "analysis/time/trace_events.h"
#include "trace/activity.h"

namespace warplens::analysis {

struct ActivityEventCounts {
    std::uint64_t spans = 0;
    std::uint64_t waits = 0;  // spans in which a stream had reached an operation that could not start yet
};

/// The whole JSON document. Fails if no activity has a span.
Result<ActivityEventCounts> write_activity_events(const std::vector<trace::Activity>& activities,
                                                  const TextSink& sink);

}  // namespace warplens::analysis
