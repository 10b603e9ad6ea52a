// Measured warps as trace events: a process an SM, a row a warp slot. On the axis of the modelled schedule:
// one cycle of the measured clock is one microsecond, counted from the launch's first warp on any SM.
#pragma once

#include "analysis/time/event_stream.h"
#include "analysis/time/trace_events.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// What the document tells of the measurement as a whole. Only of a Trace that has one.
EventStream::Json measured_event_data(const trace::Trace& trace);
bool has_measured_events(const trace::Trace& trace, const TraceEventOptions& options);
void put_measured_events(const trace::Trace& trace, const TraceEventOptions& options, EventStream& stream,
                         TraceEventCounts& counts);

}  // namespace warplens::analysis
