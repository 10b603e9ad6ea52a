// Activity: a program's use of a GPU's streams — copies, kernels, graph launches — as spans on one clock.
// Measured on a GPU; the pictures of streams and graphs show it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::trace {

enum class ActivityKind : std::uint8_t { copy_to_device, copy_to_host, copy_on_device, fill, kernel, graph };

struct ActivitySpan {
    ActivityKind kind = ActivityKind::kernel;
    std::string name;  // "scale, chunk 3"
    int stream = 0;    // index into Activity::streams
    /// From the first span's begin: when the stream had reached the operation and when it had finished it. An
    /// operation may wait at its begin for a busy copy engine or SM; analysis/time/activity_report.h
    /// separates waiting from working.
    double begin_us = 0, end_us = 0;
    std::uint64_t bytes = 0;  // of copies and fills
    int graph = -1;           // index of its graph launch span; -1: none
    friend bool operator==(const ActivitySpan&, const ActivitySpan&) = default;
};

/// One variant of the same work: in one stream, in several, or as a graph.
struct Activity {
    std::string name;  // "3 streams"
    std::string title;
    std::string device, driver, date;
    std::vector<std::string> streams;
    std::vector<ActivitySpan> spans;  // by begin; from a separate run with timers around each span
    double timer_bound_us = 0;        // bound on the offset between two spans' times
    // The same work with timers only at its start and end: medians of `repeats` runs.
    int repeats = 0;
    double device_us = 0;        // of the device, between the two timers
    double host_us = 0;          // wall time of the host from the first call to completion
    double launch_calls_us = 0;  // of this, inside the calls that launch and copy
    std::uint32_t calls = 0;     // number of such calls
    std::uint32_t kernels = 0;   // executed kernels, including those inside graphs
    bool pageable = false;       // the host's memory was not pinned
    bool same_results = true;    // bit-identical to those of the first activity
    friend bool operator==(const Activity&, const Activity&) = default;
};

/// The first violated invariant of the above as a sentence; empty if there is none. Views and analyses rely
/// on a passed check.
std::string check(const Activity& activity);

}  // namespace warplens::trace
