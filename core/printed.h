// The output of a kernel: the calls of printf in device code, one Printed per thread and call.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch.h"
#include "core/program.h"

namespace warplens {

/// A line, some lines or a piece of one that a thread printed with one call.
struct Printed {
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
    SiteId site = no_index;  // the call
    std::uint32_t line = 0;  // its source line, 1-based; 0 when unknown
    std::string child;  // of a grid launched by device code: its kernel, and there is no site; else empty
    std::string text;   // as printed, line breaks included
    friend bool operator==(const Printed&, const Printed&) = default;
};

/// The stored output of a launch: ascending by block; within a block in execution order; within a call of a
/// warp by lane.
struct PrintedCalls {
    std::vector<Printed> calls;
    std::uint64_t dropped = 0;  // calls after the last one kept
    friend bool operator==(const PrintedCalls&, const PrintedCalls&) = default;
};

}  // namespace warplens
