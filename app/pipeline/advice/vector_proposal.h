// Vector proposal: neighbouring elements per thread, as a `float4`, `int4`, `uint4`, `uchar4` or `double2`,
// where each thread computes one element from those at its own index. A request then moves as many times
// more, and the host code launches as many times fewer blocks, or a loop over the data makes fewer passes.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pipeline/advice/proposals.h"
#include "app/pipeline/find_entries.h"
#include "app/scene/scene.h"

namespace warplens::app {

struct VectorEdits {
    std::vector<Edit> edits;   // of the kernel and of its launches; empty: the kernel does more than that
    std::string type, length;  // "float4", "n"
    std::size_t width = 4;     // elements of one
    bool goes_on = false;      // by a loop over the data: the launch stays
};
VectorEdits vector_edits(const std::string& source, std::string_view entry);

/// Where the host code's launch follows, or stays.
std::optional<Proposal> proposed_vectors(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                         const std::map<std::string, std::string>& overrides,
                                         const Scene& now, const FindEntries& find_entries);

}  // namespace warplens::app
