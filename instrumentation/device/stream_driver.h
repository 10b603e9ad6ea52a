// StreamDriver: the driver's functions for streams and graphs, looked up when a plan of streams is first run,
// in the library that is already open.
#pragma once

#include "instrumentation/device/driver_api.h"

namespace warplens::instrumentation::cuda {

using Graph = void*;
using GraphExec = void*;

enum : unsigned { event_record_external = 1 };  // a node of the captured graph
enum : int { capture_thread_local = 1 };
enum : unsigned { stream_non_blocking = 1 };

struct StreamDriver {
#define WARPLENS_DRIVER_FUNCTION(name, symbol, ...) Code (*name)(__VA_ARGS__) = nullptr;
#include "instrumentation/device/stream_functions.def"
#undef WARPLENS_DRIVER_FUNCTION

    /// The error names what the driver lacks.
    static Result<StreamDriver> open(const CudaDriver& driver);
};

}  // namespace warplens::instrumentation::cuda
