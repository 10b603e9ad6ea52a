// Which launch of the host code is of which compiled kernel. Internal to instrumentation/catalog; the choice
// among several kernels is in host_launch.h.
#pragma once

#include <string>

#include "instrumentation/catalog/launch_draft.h"
#include "instrumentation/host_code/launches.h"

namespace warplens::instrumentation {

/// The launch that the entry is shown with: the first, or the first whose extents are known. Null: none.
const host_code::HostLaunch* launch_of(const EntryFacts& entry, const host_code::HostCode& code);

/// Whether the kernel of the launch is this one.
bool is_launch_of(const host_code::HostLaunch& launch, const EntryFacts& entry);

/// Answers what the host code asks of the occupancy of these kernels.
host_code::OccupancyQuery occupancy_of(const std::vector<EntryFacts>& entries);

/// "--kernel create_world, --kernel free_world": what else the program launches; "--kernel": nothing.
std::string other_kernels(const LaunchDraft& draft, const host_code::HostCode& code);

}  // namespace warplens::instrumentation
