// Barrier fix: which barriers a kernel's source lacks, and which it does not need. Text says where a barrier
// may stand; whether it orders the accesses there, a run decides. A run checks one launch, so a barrier is
// called needless for that launch only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/advice.h"
#include "core/problem.h"

namespace warplens::app {

/// What a run found.
struct Findings {
    std::vector<Problem> problems;
    std::size_t notes = 0;
};

/// Runs the source with the edits in it. Nothing: it does not run, or there is no time left.
using TryEdits = std::function<std::optional<Findings>(const std::vector<Edit>& edits)>;

/// Edits that insert one barrier line for the race: `__syncwarp();` first where both threads are of one
/// warp. Nearest to the accesses first, then outside of the blocks around them. None for a race between
/// blocks, in another file, or in a function without an end.
std::vector<Edit> barrier_places(const std::string& source, const Problem& race);

/// The barriers after which a run finds no problem: one after the other, each for the race between the most
/// distant threads that is left, where it removes most problems. Empty: a few do not suffice.
std::vector<Edit> missing_barriers(const std::string& path, const std::string& source, const Findings& now,
                                   const TryEdits& run);

/// The barriers, each on a line of its own, without which a run still finds no problem. `is_in_kernel`:
/// whether a line, from 1, has code of the kernel that is run: other barriers are not tried.
std::vector<Edit> needless_barriers(const std::string& source, const TryEdits& run,
                                    const std::function<bool(std::uint32_t line)>& is_in_kernel);

}  // namespace warplens::app
