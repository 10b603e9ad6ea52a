// Spot check: whether a Spot that was kept from another time, or read from a file, points into a Scene.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

/// Every index of the spot exists, and those that imply one another agree.
bool is_in(const Scene& scene, const Spot& spot);

}  // namespace warplens::app
