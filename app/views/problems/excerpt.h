// The lines of the source around a problem, with both of its sides marked and joined, in the room that a list
// of problems leaves.
#pragma once

#include "app/scene/scene.h"
#include "app/ui/ink.h"
#include "app/ui/theme.h"
#include "core/problem.h"

namespace warplens::app {

/// Height that the excerpt takes in a box of this height; 0 if the source is not available or there is no
/// room.
float problem_excerpt_height(const Theme& theme, const Scene& scene, const Problem& problem, float room);
void draw_problem_excerpt(const Ink& ink, const Scene& scene, const Problem& problem, Box box);

}  // namespace warplens::app
