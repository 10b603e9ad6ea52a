// Activity: what a program did with a GPU's streams — copies, kernels, graph launches — as spans on one
// clock. Measured on a GPU; the pictures of streams and graphs are drawn from it.
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
    /// operation may wait at its begin for a busy copy engine or SM; analysis/time/activity_report.h tells
    /// waiting from working.
    double begin_us = 0, end_us = 0;
    std::uint64_t bytes = 0;  // of copies and fills
    int graph = -1;           // index of the graph launch span it ran in; -1: none
    friend bool operator==(const ActivitySpan&, const ActivitySpan&) = default;
};

/// One way of doing the same work: all in one stream, over several, as a graph.
struct Activity {
    std::string name;  // "3 streams"
    std::string title;
    std::string device, driver, date;
    std::vector<std::string> streams;
    std::vector<ActivitySpan> spans;  // by begin; timed in a run of its own, with timers around each
    double timer_bound_us = 0;        // how far two spans' times may be off
    // The same work with a timer at its two ends only: medians of `repeats` runs.
    int repeats = 0;
    double device_us = 0;        // of the device, between those two
    double host_us = 0;          // wall time of the host from the first call until all was done
    double launch_calls_us = 0;  // of it inside the calls that launch and copy
    std::uint32_t calls = 0;     // such calls
    std::uint32_t kernels = 0;   // that ran, also those inside graphs
    bool pageable = false;       // the host's memory was not pinned
    bool same_results = true;    // bit for bit as after the first of the ways
    friend bool operator==(const Activity&, const Activity&) = default;
};

/// The first promise above that does not hold, as a sentence; empty when all do. Views and analyses trust
/// what passed.
std::string check(const Activity& activity);

}  // namespace warplens::trace
