// index_scene: the indexes of a Scene's trace that views use, built once with the Scene and off the UI
// thread, so that no frame computes them.
#pragma once

#include "app/scene/scene.h"

namespace warplens::app {

/// Fills the members of the Scene that are indexes and still null.
void index_scene(Scene& scene);

}  // namespace warplens::app
