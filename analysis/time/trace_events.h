// Trace events: a Schedule in the format of Chrome's tracing and of Perfetto, which both their viewers open,
// and beside it what a GPU measured of the same launch. docs/trace_export.md says what becomes what. One
// cycle is told as one microsecond, the format's unit.
//
// Written event by event, in the order of their cycles; what is held in memory beside the Schedule is an
// index of some 24 bytes an event.
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
    std::uint32_t last_cycle = 0xffffffffu;  // the first that is left out
};

/// What was written.
struct TraceEventCounts {
    std::uint64_t states = 0;  // spans of warps
    std::uint64_t warps = 0, blocks = 0;
    std::uint64_t flows = 0;  // pairs
    std::uint64_t counter_values = 0;
    std::uint64_t measured_warps = 0, measured_visits = 0, measured_waits = 0;
    friend bool operator==(const TraceEventCounts&, const TraceEventCounts&) = default;
};

/// Takes the next piece of the file; what it fails with ends the writing.
using TextSink = std::function<Status(std::string_view)>;

/// The whole JSON document. Spans that reach beyond the range of cycles are cut to it, flows need both their
/// ends inside. What was measured follows the schedule. Fails when the Schedule holds no spans, or nothing is
/// in the range.
Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const trace::Schedule& schedule,
                                            const TraceEventOptions& options, const TextSink& sink);
/// The same of what was measured alone, where there is no Schedule. Fails when nothing was, or not in the
/// range.
Result<TraceEventCounts> write_trace_events(const trace::Trace& trace, const TraceEventOptions& options,
                                            const TextSink& sink);

}  // namespace warplens::analysis
