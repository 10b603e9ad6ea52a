// The headers of the C library that kernels' files commonly include, reduced to what device code can use of
// them. NVRTC brings none: printf, assert and the mathematics are built into it, and only types and limits
// are missing. What belongs to the host (streams, containers) has no entry here.
#pragma once

#include <vector>

namespace warplens::instrumentation {

struct HostHeader {
    const char* name;  // as in #include <name>
    const char* text;
};

const std::vector<HostHeader>& host_headers();

}  // namespace warplens::instrumentation
