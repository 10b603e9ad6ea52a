// The notes of a Scene: what is right as it is, but worth knowing.
#pragma once

#include <vector>

#include "app/scene/scene.h"
#include "core/problem.h"

namespace warplens::app {

/// Those of its run, and those that only its machine code can have, once it was executed. Their sites are the
/// Scene's: of a note of the machine code the first on its line, no_index if there is none.
std::vector<Problem> notes_of(const Scene& scene);

}  // namespace warplens::app
