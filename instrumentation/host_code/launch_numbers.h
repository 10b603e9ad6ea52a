// Launch numbers: the numbers without a name from which a launch makes its block, `sum<256><<<(n + 255) /
// 256, 256>>>(…)` or `dim3 block(16, 16);`, with all places that have to change with them. Any text may be
// read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrumentation/host_code/named_numbers.h"

namespace warplens::instrumentation::host_code {

/// A number of a block's extents. It also stands in the template arguments, in the grid's expression, where
/// that is more than the number alone, in the bytes of shared memory, and in the declarations of the
/// variables that the configuration names. Launches that share a place are one.
struct LaunchNumber {
    std::uint64_t value = 0;
    bool along_x = false;  // only the block's first extent, and the grid's, of several extents of this value
    std::uint32_t line = 0;           // of the first `<<<`
    std::vector<NamedNumber> places;  // in the source's order; those of value - 1 round up
};
std::vector<LaunchNumber> launch_numbers(const std::string& source);

}  // namespace warplens::instrumentation::host_code
