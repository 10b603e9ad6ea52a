// Trace events: a Schedule in the trace event format of Chrome and Perfetto, together with a GPU's
// measurements of the same launch. docs/trace_export.md describes the mapping. One cycle is written as one
// microsecond, the format's unit.
//
// Events are written one by one in the order of their cycles; beside the Schedule, memory only holds an index
// of about 24 bytes per event.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/result.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::analysis {

struct TraceEventOptions {
    std::uint32_t first_cycle = 0;
    std::uint32_t last_cycle = 0xffffffffu;  // the first cycle that is left out
};

/// Counts of the written events.
struct TraceEventCounts {
    std::uint64_t states = 0;  // spans of warps
    std::uint64_t warps = 0, blocks = 0;
    std::uint64_t flows = 0;  // pairs
    std::uint64_t counter_values = 0;
    std::uint64_t measured_warps = 0, measured_visits = 0, measured_waits = 0;
    friend bool operator==(const TraceEventCounts&, const TraceEventCounts&) = default;
};

/// Receives the next piece of the file; an error ends the writing.
using TextSink = std::function<Status(std::string_view)>;

/// The whole JSON document. Spans are clipped to the range of cycles; flows need both ends inside.
/// Measurements follow the schedule. Fails if the Schedule has no spans, or the range is empty.
Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const trace::Schedule& schedule,
                                            const TraceEventOptions& options, const TextSink& sink);
/// The same for measurements only, without a Schedule. Fails if nothing was measured in the range.
Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const TraceEventOptions& options,
                                            const TextSink& sink);

}  // namespace warplens::analysis
