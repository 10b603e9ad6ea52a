// What a Scene is, in words: which launch it shows, and how much of it was executed.
#pragma once

#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace warplens::app {

/// "transpose_tiled · TILE 32 · PAD 0 · H200": the line above a picture of a view. Of a file that is named
/// otherwise than its kernel: "points · assign · n 100,000 · H200".
std::string launch_words(const Scene& scene);
/// "simulated 8 of 1,024 blocks", "simulated all 1,024 blocks", "measured …" for a trace from a GPU; and
/// which of its inputs that an address may follow from are guesses.
std::string sampled_words(const Scene& scene);
/// Its device code launched grids, whose accesses are not in the trace.
bool launched_grids(const Scene& scene);

/// The settings that differ from the kernel's defaults, in its order: "PAD=1".
std::vector<std::string> changed_settings(const Scene& scene);

}  // namespace warplens::app
