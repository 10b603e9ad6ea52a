// Untried causes: costs of a kernel that no change of text removes by itself and that the timing model has no
// question for, so that they are neither run nor estimated. They are said with what they cost, as no promise.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/time/exposed_cost.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// Whether the launch has requests to local memory, or packed ones to global memory of one or two bytes per
/// lane.
bool may_have_untried_causes(const Scene& scene);
/// Of these, what leaves much of the issue slots empty, by the costs of the Scene's own sites: sentences, the
/// dearest first. `rewritten`: lines of the source that an offered change writes in another way, which is
/// not untried.
std::vector<std::string> untried_causes(const Scene& scene, const analysis::ExposedCost& cost,
                                        const std::set<std::uint32_t>& rewritten);

}  // namespace warplens::app
