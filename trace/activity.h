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
    std::string name;                 // "scale, chunk 3"
    int stream = 0;                   // index into Activity::streams
    double begin_us = 0, end_us = 0;  // from the first span's begin
    std::uint64_t bytes = 0;          // of copies and fills
    int graph = -1;                   // index of the graph launch span it ran in; -1: none
    friend bool operator==(const ActivitySpan&, const ActivitySpan&) = default;
};

/// One way of doing the same work: all in one stream, over several, as a graph.
struct Activity {
    std::string name;  // "3 streams"
    std::string title;
    std::string device, driver, date;
    std::vector<std::string> streams;
    std::vector<ActivitySpan> spans;  // by begin
    double timer_bound_us = 0;        // how far two spans' times may be off
    double host_us = 0;               // wall time of the host from the first call to the end of the last span
    double launch_calls_us = 0;       // of it inside the calls that launch
    friend bool operator==(const Activity&, const Activity&) = default;
};

}  // namespace warplens::trace
