// Explain change: what the selected request cost in a baseline and what it costs now, with the cause of the
// difference, and where the warps of the launch spend the difference; what the launch takes is the verdict's.
#pragma once

#include <string>

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

/// `spot` is of `after`. Both scenes have a trace and a report. Times of the launch are those of the wanted
/// level if both runs have them.
std::string explain_change(const Scene& before, const Scene& after, const Spot& spot, Level wanted);

}  // namespace warplens::app
