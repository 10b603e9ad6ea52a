// Addresses of a running program's memory that lie in that memory: `float**`, lists and trees, structures
// behind a pointer. What they lead to is memory of the launch as well.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "instrumentation/host_program/program_launch.h"

namespace warplens::instrumentation {

/// The contents of an allocation at the time of the launch.
using ProgramMemory = std::function<std::span<const std::byte>(const ProgramAllocation&)>;

struct StoredAddresses {
    bool any = false;               // some memory holds an address
    std::vector<std::size_t> more;  // allocations that only memory leads to, ascending
};

/// Every aligned word that is an address of allocated memory counts as one. `known`: allocations that the
/// launch has by its arguments; `others`: bytes elsewhere that may hold addresses.
StoredAddresses stored_addresses(const ProgramLaunch& launch, const std::vector<std::size_t>& known,
                                 const std::vector<std::span<const std::byte>>& others,
                                 const ProgramMemory& memory);

}  // namespace warplens::instrumentation
