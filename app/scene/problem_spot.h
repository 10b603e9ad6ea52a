// Where a problem happened, as the Spot that all views follow: its site and line, and the warp, lane and
// first request where the Scene's trace holds them.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "core/problem.h"

namespace warplens::app {

/// The first problem that the site takes part in, on either side, else the first on its line; null: none.
const Problem* problem_of_site(const Scene& scene, SiteId site);
Spot spot_of_problem(const Scene& scene, const Problem& problem);
/// The other side of a race; only for a problem that has one.
Spot spot_of_other(const Scene& scene, const Problem& problem);

}  // namespace warplens::app
