// Barrier fix: where a barrier in the kernel's source may order the accesses of a race, as changes to be
// tried, the smallest barrier first. Only text is looked at: whether a place is right, a run decides.
#pragma once

#include <string>
#include <vector>

#include "app/scene/advice.h"
#include "core/problem.h"

namespace warplens::app {

/// Changes that insert one barrier line for the race: `__syncwarp();` first where both threads are of one
/// warp. Nearest to the accesses first, then outside of the blocks around them. None for a race between
/// blocks, in another file, or in a function without an end.
std::vector<Change> barrier_changes(const std::string& source, const Problem& race);

/// The source with the lines of the change.
std::string with_change(const std::string& source, const Change& change);

}  // namespace warplens::app
