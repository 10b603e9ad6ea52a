// Merged accesses: which loads and stores of the PTX the assembler merged into one wider machine instruction.
// Both levels have to have executed the same blocks: a merge is named only if the requests of both agree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

struct MergedAccess {
    SiteId machine = no_index;  // of the machine level's program: "LDS.128"
    std::vector<SiteId> ptx;    // of the PTX level's, by address: neighbours of one base register
    /// Executions of each PTX site that one machine instruction does: more than 1 where the assembler merged
    /// the accesses of consecutive iterations.
    std::uint32_t executions = 1;

    bool operator==(const MergedAccess&) const = default;
};

/// By machine site.
std::vector<MergedAccess> merged_accesses(const LaunchReport& ptx_report, const Program& ptx,
                                          const LaunchReport& machine_report, const Program& machine);

/// "4 PTX loads → 1 LDS.128"
std::string merge_words(const MergedAccess& merged, const Program& machine);

}  // namespace warplens::analysis
