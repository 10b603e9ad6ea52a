// The headers of the C library that kernels' files commonly include, reduced to what device code can use of
// them. NVRTC brings none: printf, assert and the mathematics are built into it, and only types and limits
// are missing. Of the C++ library those headers have an entry of which the toolkit has a version for the
// device. What belongs to the host (streams, containers) has none.
#pragma once

#include <string>
#include <vector>

namespace warplens::instrumentation {

struct HostHeader {
    const char* name;  // as in #include <name>
    std::string text;
    const char* needs = nullptr;  // a header of the toolkit that the text includes
};

const std::vector<HostHeader>& host_headers();

}  // namespace warplens::instrumentation
