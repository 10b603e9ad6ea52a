// From the samples of a plan's runs to an activity: which run's times are reported, and how times of
// different runs are put on one clock.
#pragma once

#include <vector>

#include "instrumentation/device/stream_plan.h"
#include "trace/activity.h"

namespace warplens::instrumentation {

/// Something that gets a span, and its samples: microseconds from the run's first timer, and how long the
/// whole run took.
struct TimedEntry {
    int repeat = 0;
    int operation = -1;  // index; -1: the launch of a graph
    std::vector<double> begin_us, end_us, whole_us;
};

/// Medians, with a timer at the two ends only.
struct StreamTotals {
    double device_us = 0, host_us = 0, calls_us = 0;
};

/// `one_run`: sample i of all entries is of the same run; the one whose whole is the median is reported. Else
/// each entry was timed in runs of its own: their times are scaled to `totals`' whole, and the medians put in
/// order.
/// What ran in a graph is then drawn together into its launch where timers inside made it longer.
trace::Activity activity_of(const StreamPlan::Variant& variant, const std::vector<TimedEntry>& entries,
                            bool one_run, const StreamTotals& totals, int repeats);

/// Times nearest to `ends` (least squares) that are at least `lengths[i]` after the one before them; the
/// first at least `lengths[0]` after 0. Both of the same size.
std::vector<double> in_order(std::vector<double> ends, const std::vector<double>& lengths);

double median(std::vector<double> values);  // 0 of none

}  // namespace warplens::instrumentation
