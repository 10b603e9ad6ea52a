// Vector proposal: four neighbouring elements per thread, as a `float4`, `int4`, `uint4` or `uchar4`, where
// each thread computes one element from those at its own index. A request then moves four times as much, and
// the host code launches a quarter of the blocks.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/find_entries.h"
#include "app/pipeline/proposals.h"
#include "app/scene/scene.h"

namespace warplens::app {

struct VectorEdits {
    std::vector<Edit> edits;   // of the kernel and of its launches; empty: the kernel does more than that
    std::string type, length;  // "float4", "n"
};
VectorEdits vector_edits(const std::string& source, std::string_view entry);

/// Where the host code's launch follows.
std::optional<Proposal> proposed_vectors(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
