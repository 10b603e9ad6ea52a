// index_scene: what views look up in a Scene's trace, derived once with the Scene and off the UI thread, so
// that no frame computes it.
#pragma once

#include "app/scene/scene.h"

namespace warplens::app {

/// Fills the members of the Scene that are indexes and still null.
void index_scene(Scene& scene);

}  // namespace warplens::app
