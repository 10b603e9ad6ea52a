// Scan proposal: a prefix sum of a block in shared memory, in steps of 1, 2, 4 … with one or two barriers
// each, in place of which each warp scans by shuffles, and the totals of the warps before are added.
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

struct ScanEdits {
    std::vector<Edit> edits;  // empty: the kernel has no such loop
    std::string limit;        // what the steps stay below: the number of threads
};
ScanEdits scan_edits(const std::string& source, std::string_view entry);

/// Of blocks of whole warps along x.
std::optional<Proposal> proposed_scan(const std::shared_ptr<const instrumentation::KernelFile>& kernel,
                                      const std::map<std::string, std::string>& overrides, const Scene& now);

}  // namespace warplens::app
