// ActivityEvents: measured streams in the format of Chrome's tracing and of Perfetto: a process for each way
// of doing the work, a row for each stream and for graph launches. Real microseconds, unlike
// analysis/time/trace_events.h, whose unit is a cycle: the two are never in one file.
#pragma once

#include <vector>

#include "analysis/time/trace_events.h"
#include "trace/activity.h"

namespace warplens::analysis {

struct ActivityEventCounts {
    std::uint64_t spans = 0;
    std::uint64_t waits = 0;  // stretches in which a stream had come to an operation whose turn had not
};

/// The whole JSON document. Fails when no activity holds a span.
Result<ActivityEventCounts> write_activity_events(const std::vector<trace::Activity>& activities,
                                                  const TextSink& sink);

}  // namespace warplens::analysis
