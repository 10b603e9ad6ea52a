// Transposed tile proposal: a kernel that copies `out[x * h + y] = in[y * w + x]`, where the
// lanes of a warp are neighbours on one side only. Through a padded tile in shared memory they are on both:
// each thread stores, or loads, what another thread of its block would.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"
#include "core/launch.h"

namespace warplens::app {

/// The lines of the kernel with such a tile, as large as a block. `mirrored_stores`: the stores are not those
/// of neighbours, else the loads. Empty: the kernel does more than one such assignment.
std::vector<Edit> transposed_tile_edits(const std::string& source, std::string_view entry, Dim3 block,
                                        bool mirrored_stores);

/// Where either loads or stores of global memory take more sectors than they need.
std::optional<Proposal> proposed_transposed_tile(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
