// Swapped lanes proposal: `threadIdx.x` and `threadIdx.y` exchanged in a kernel of square blocks. The lanes
// of a warp differ in x; where x is the row of a matrix, each lane reads another row.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

/// The lines of the kernel with the two exchanged. Empty: the source has no such definition, or it uses only
/// one of them. `entry`: its plain name.
std::vector<Edit> swapped_lanes_edits(const std::string& source, std::string_view entry);

/// Of a kernel whose requests to global memory take more sectors than they need.
std::optional<Proposal> proposed_swapped_lanes(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
