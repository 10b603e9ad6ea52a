// Synthetic activities: a pipeline of chunks on a device with one copy engine a direction and room for one
// kernel at a time, in closed form, for tests and pictures. Nothing here was measured.
#pragma once

#include <vector>

#include "trace/activity.h"

namespace warplens::trace {

struct ExamplePipeline {
    int streams = 1;
    int chunks = 4;
    double copy_in_us = 40, kernel_us = 50, copy_out_us = 40;  // of all chunks together
    double call_us = 2;                                        // of the host, for each operation
    bool graph = false;                                        // one launch of all
};

/// Copy in, kernel, copy out for each chunk; chunk c in stream c modulo streams. Each operation is reached
/// when its stream is free and begins when also its engine is.
Activity make_example_pipeline(const ExamplePipeline& shape);

/// All at once, in one stream, over three, as a graph.
std::vector<Activity> make_example_activities();

/// A chain of `steps` kernels `replays` times, by single launches and by launches of a graph.
std::vector<Activity> make_example_replays(int steps, int replays);

}  // namespace warplens::trace
