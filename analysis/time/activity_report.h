// ActivityReport: figures of measured streams — when an operation worked and when it only waited, how much of
// the copies overlapped kernels, the host's cost of a launch — and one summary sentence. Pure; the activities
// are ways of doing the same work, and the first is the baseline.
#pragma once

#include <string>
#include <vector>

#include "trace/activity.h"

namespace warplens::analysis {

struct ActivityFigures {
    /// Per span: it waited from its begin until then, and worked afterwards. Measured are only the times at
    /// which the stream reached an operation and completed it. It is assumed to have waited if
    /// - another of its kind was still running in another stream, and the time left after that one's end was
    ///   enough for it: its shortest duration in any of the activities, minus a fifth;
    /// - or nothing else ran during it, so only the host's call can have been late: then it worked for its
    ///   shortest duration.
    std::vector<double> work_begin_us;
    double total_us = 0;    // Activity::device_us; to the end of the last span if that is not known
    double busy_us = 0;     // at least one operation worked
    double copy_us = 0;     // at least one copy or fill
    double kernel_us = 0;   // at least one kernel
    double overlap_us = 0;  // both
    double two_way_us = 0;  // copies to the device and to the host at the same time

    double kernels_hidden() const { return kernel_us > 0 ? overlap_us / kernel_us : 0; }
    double copies_hidden() const { return copy_us > 0 ? overlap_us / copy_us : 0; }
};

/// One per activity. Spans that contain others (graph launches) are not in the sums.
std::vector<ActivityFigures> activity_figures(const std::vector<trace::Activity>& activities);

/// Index of the fastest activity, the first of equals. 0 if there is none.
std::size_t fastest(const std::vector<ActivityFigures>& figures);

/// The summary with its numbers: "3 streams: 290 µs instead of 610 µs (all at once), 2.1 times as fast; 82 %
/// of the kernels' time overlaps copies". Without copies, the cost of launching: "as a graph: 96 µs instead
/// of 203 µs (single launches), 2.1 times as fast; 0.4 µs of host calls per kernel, not 2.4". A title:
/// without a full stop. Empty if there is not an activity.
std::string activity_sentence(const std::vector<trace::Activity>& activities,
                              const std::vector<ActivityFigures>& figures);

/// "0.8 µs", "290 µs", "1.94 ms": three digits at most.
std::string microseconds(double us);

}  // namespace warplens::analysis
