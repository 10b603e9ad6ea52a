// Launch change: what a whole launch took in a baseline and takes now, as one sentence: the verdict of the
// comparison, which names the count that changed most, and where the model's warps spend the difference. It
// explains by the states of warps, which add up to their cycles; it does not prove that the count is the
// cause.
#pragma once

#include <string>

#include "app/scene/scene.h"

namespace warplens::app {

/// Both scenes have a report. Times are those of the level. The warps' part is left out where a run has no
/// modelled time, or the GPUs differ.
std::string launch_change(const Scene& before, const Scene& after, Level level);

}  // namespace warplens::app
