// Example Schedules for tests and benchmarks of code that reads one, at any size: the warps of a Trace run on
// an SM with a few simple rules. They do not come from the timing model and are never shown as if they did:
// the GPU is "synthetic". The rules: each step waits for the result of the previous one; a scheduler issues
// for the first ready warp in a cycle; a block's warps take the free slots of the schedulers in round-robin
// order.
#pragma once

#include <cstdint>

#include "tests/support/synthetic.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::trace {

struct ExampleSm {
    int schedulers = 4;
    int slots_per_scheduler = 16;       // a block whose warps do not fit on an empty SM gets additional slots
    std::uint32_t block_interval = 20;  // cycles between two arrivals of blocks
};

/// All recorded blocks on one SM, in order, replaced as they end.
Schedule make_example_schedule(const Trace& trace, const ExampleSm& sm = {});

/// A shape whose schedule has at least this many spans, of 1,024 warps in 128 blocks. 25 million of them take
/// 0.4 GB, and the Trace as much again.
ExampleShape shape_for_spans(std::uint64_t spans);

}  // namespace warplens::trace
