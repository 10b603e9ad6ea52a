// Proposed changes: everything that advice tries of a kernel, those first that help most where they apply.
// There is time for some of them only.
#pragma once

#include <functional>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/pipeline.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// `request` as it was run for `now`; `stop`: the search for a pad may end.
std::vector<Proposal> proposed_changes(Pipeline& pipeline, const LaunchRequest& request, const Scene& now,
                                       const std::function<bool()>& stop);

}  // namespace warplens::app
