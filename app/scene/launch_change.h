// Launch change: where the warps spend the difference between a launch in a baseline and now, as one sentence
// beside the verdict of the comparison, which says what the launch takes. It explains by the states of warps,
// which add up to their cycles; it does not prove that a count is the cause.
#pragma once

#include <string>

#include "app/scene/scene.h"

namespace warplens::app {

/// Times are those of the level. Empty: a run has no modelled time, the GPUs differ, or the warps' cycles
/// hardly changed, or changed the other way than the launch's as other numbers of warps share an SM.
std::string launch_change(const Scene& before, const Scene& after, Level level);

}  // namespace warplens::app
