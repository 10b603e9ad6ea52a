// A thread at an instruction, as the Spot that all views follow: site and line, and the warp, lane and first
// request there where the Scene's trace holds them.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/selection.h"

namespace warplens::app {

/// `line`: of the kernel's source, 1-based; 0: none. `site` may be no_index.
Spot spot_of_thread(const Scene& scene, SiteId site, std::uint32_t line, Dim3 block, Dim3 thread);

}  // namespace warplens::app
