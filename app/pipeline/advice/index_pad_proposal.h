// Index pad proposal: shared arrays of one dimension whose index skips a word after each 32, `a[(i) + ((i) >>
// 5)]`, so that the lanes of a request with a stride of a power of two use different banks (Harris, Sengupta,
// Owens: "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007, section 39.2.3). It costs a shift and an
// addition for each access, so that a run has to decide.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

struct PaddedIndexes {
    std::vector<std::string> arrays;
    std::vector<Edit> edits;
    int dynamic = 0;  // how many of the arrays are dynamic shared memory: the launches in the text get more
};
/// Of those arrays that one of the lines uses. Left out are arrays that the kernel uses otherwise than
/// element by element, and indexes that change something. `entry`: the kernel's plain name.
PaddedIndexes padded_indexes(const std::string& source, std::string_view entry,
                             const std::set<std::uint32_t>& lines);

/// Where requests to shared memory take more wavefronts than they need.
std::optional<Proposal> proposed_padded_indexes(
    const std::shared_ptr<const instrumentation::KernelFile>& kernel,
    const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
