// StreamCosts: what copies, host calls, events and graphs cost, for a model of streams and for times between
// events. Read off the streams of an
// H200 in an x86 host over PCIe 5 (tests/gpu/h200/streams.txt); other hosts differ mostly in the rate of
// copies.
#pragma once

#include <string_view>

namespace warplens {

struct StreamCosts {
    std::string_view measured_on = "H200, PCIe 5";
    // Of a copy from pinned memory: a latency, and then a rate. From pageable memory the host copies first.
    double copy_in_latency_us = 7.3, copy_in_bytes_per_us = 56'000;
    double copy_out_latency_us = 10, copy_out_bytes_per_us = 57'000;
    double pageable_latency_us = 8, pageable_bytes_per_us = 11'700;
    double stream_gap_us = 1.3;  // from the end of an operation to the next one of its stream
    double graph_kernel_gap_us = 0.3, graph_copy_gap_us = 1.8;  // inside a graph: before a kernel or a copy
    // Of the host: until a call returns. It is also the least distance of two operations. Launches took 3.5,
    // 3.6, 3.8 and 4.2 in the recordings of two days: this is their mean.
    double copy_call_us = 2.7, launch_call_us = 3.8, graph_call_us = 2;
    // Of two events around a launch, on top of it, short or long (docs/measured.md); 1.3 on an H100.
    double events_us = 1.4;
    double graph_latency_us = 3.6;  // from a graph's launch to its first operation
};

}  // namespace warplens
