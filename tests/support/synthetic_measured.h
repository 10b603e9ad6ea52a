// An example of Measured, for tests and for whatever draws one: what a small GPU's clocks might have said of
// any Trace, by a few simple rules and never by chance. No measurement, and never shown as one: the device is
// "synthetic". The rules: a block goes to the SM that has room first; a basic block takes longer the more it
// holds and accesses, and a little differently in each warp; a barrier lets go when the last warp has
// arrived; a basic block that its predecessor falls through into with the same lanes has no time.
#pragma once

#include <cstdint>

#include "tests/support/synthetic.h"
#include "trace/measured.h"
#include "trace/trace.h"

namespace warplens::trace {

struct ExampleGpu {
    int sms = 4;              // at most 256, numbered 0, 2, 4, …, as GPUs leave some out
    int resident_blocks = 2;  // an SM, at once
    double clock_hz = 1.5e9;
    double timer_bound_ns = 32;
};

/// Of every recorded block of `trace`.
Measured make_example_measured(const Trace& trace, const ExampleGpu& gpu = {});

/// make_example with its Measured; its provenance is "measured", its engine still "synthetic".
Trace make_measured_example(const ExampleShape& shape, const ExampleGpu& gpu = {});

}  // namespace warplens::trace
