// Measured warps as trace events: one process per SM, one row per warp slot. They use the axis of the
// modelled schedule: one cycle of the measured clock is one microsecond, counted from the launch's first warp
// on any SM.
#pragma once

#include "analysis/time/event_stream.h"
#include "analysis/time/trace_events.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// The document's data about the whole measurement. Only for a Trace with a measurement.
Json measured_event_data(const trace::Trace& trace);
bool has_measured_events(const trace::Trace& trace, const TraceEventOptions& options);
void put_measured_events(const trace::Trace& trace, const TraceEventOptions& options, EventStream& stream,
                         TraceEventCounts& counts);

}  // namespace warplens::analysis
