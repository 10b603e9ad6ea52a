// An example of Measured, for tests and views: possible clock readings of a small GPU for any Trace, by a few
// deterministic rules. It is not a measurement and is never shown as one: the device is "synthetic". The
// rules: a block goes to the first SM with room; a basic block takes longer the more instructions and
// accesses it has, with small differences between warps; a barrier opens when the last warp has arrived; a
// basic block into which its predecessor falls through with the same lanes has no time.
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
