// ActivityReport: what the measured spans of streams mean — when an operation worked and when it only waited
// its turn, how much of the copying hid behind kernels, what a launch cost the host — and the one sentence
// about it. Pure; the activities are ways of doing the same work, the first is what the others are held
// against.
#pragma once

#include <string>
#include <vector>

#include "trace/activity.h"

namespace warplens::analysis {

struct ActivityFigures {
    /// One a span: from then on it worked; from its begin until then it waited. What is measured is when the
    /// stream reached an operation and when it was done. It is taken to have waited where
    /// - another of its kind still ran in another stream, and what was left when that one ended was time
    ///   enough for it: as long as it takes at best, in any of the activities, less a fifth;
    /// - or nothing else ran all the while, so that only the host's call for it can have been late: then it
    ///   worked as long as it takes at best.
    std::vector<double> work_begin_us;
    double total_us = 0;    // Activity::device_us; to the end of the last span when that is not known
    double busy_us = 0;     // at least one operation worked
    double copy_us = 0;     // at least one copy or fill
    double kernel_us = 0;   // at least one kernel
    double overlap_us = 0;  // both
    double two_way_us = 0;  // copies to the device and to the host at once

    double kernels_hidden() const { return kernel_us > 0 ? overlap_us / kernel_us : 0; }
    double copies_hidden() const { return copy_us > 0 ? overlap_us / copy_us : 0; }
};

/// One an activity. Spans that hold others (graph launches) count for none of the sums.
std::vector<ActivityFigures> activity_figures(const std::vector<trace::Activity>& activities);

/// Index of the activity that took least time; the first of equals. 0 when there is none.
std::size_t fastest(const std::vector<ActivityFigures>& figures);

/// The point of it, with the numbers: "3 streams: 290 µs instead of 610 µs (all at once), 2.1 times as fast;
/// 82 % of the kernels' time hides behind copies." Where nothing is copied, what launching cost: "as a graph:
/// 96 µs instead of 203 µs (single launches), 2.1 times as fast; 0.4 µs of the host's calls a kernel instead
/// of 2.4." Empty when there is no activity.
std::string activity_sentence(const std::vector<trace::Activity>& activities,
                              const std::vector<ActivityFigures>& figures);

/// "0.8 µs", "290 µs", "1.94 ms": three digits at most.
std::string microseconds(double us);

}  // namespace warplens::analysis
