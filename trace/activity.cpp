#include "trace/activity.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens::trace {
namespace {

/// A week: longer than any measurement, short enough for exact sums.
constexpr double longest_us = 6.048e11;

bool is_time(double us) { return std::isfinite(us) && us >= 0 && us <= longest_us; }

std::string check_span(const Activity& activity, std::size_t index) {
    const ActivitySpan& span = activity.spans[index];
    if (span.kind > ActivityKind::graph) return fmt::format("span {} is of an unknown kind", index);
    if (span.stream < 0 || static_cast<std::size_t>(span.stream) >= activity.streams.size())
        return fmt::format("span {} runs in stream {} of {}", index, span.stream, activity.streams.size());
    if (!is_time(span.begin_us) || !is_time(span.end_us) || span.end_us < span.begin_us)
        return fmt::format("span {} lasts from {} to {} µs", index, span.begin_us, span.end_us);
    if (index > 0 && span.begin_us < activity.spans[index - 1].begin_us)
        return fmt::format("span {} begins before its predecessor", index);
    if (span.graph == -1) return {};
    if (span.graph < 0 || static_cast<std::size_t>(span.graph) >= activity.spans.size() ||
        span.kind == ActivityKind::graph ||
        activity.spans[static_cast<std::size_t>(span.graph)].kind != ActivityKind::graph)
        return fmt::format("span {} is in span {}, which is not a graph", index, span.graph);
    return {};
}

}  // namespace

std::string check(const Activity& activity) {
    for (std::size_t i = 0; i < activity.spans.size(); ++i)
        if (std::string broken = check_span(activity, i); !broken.empty()) return broken;
    for (const double us :
         {activity.timer_bound_us, activity.device_us, activity.host_us, activity.launch_calls_us})
        if (!is_time(us)) return fmt::format("a time of {} µs is invalid", us);
    if (activity.repeats < 0) return fmt::format("{} repeats are invalid", activity.repeats);
    return {};
}

}  // namespace warplens::trace
