// SourceMap: the report's sites summed per source line (or PTX line), for the heat columns next to the code.
// Explanations are in analysis/report/explain.h.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/report/launch_report.h"

namespace warplens::analysis {

struct LineHeat {
    std::uint32_t file = no_index;     // index into Program::sources; no_index for PTX lines
    std::uint32_t line = 0;            // 1-based
    std::vector<SiteId> sites;         // ascending
    std::uint64_t steps = 0;           // warp-instructions executed
    std::uint64_t executed_lanes = 0;  // as in SiteReport: with their predicate on
    double step_share = 0;             // of all the launch's steps, 0 to 1
    std::uint64_t branches = 0, branches_divergent = 0;
    AccessTotals global;  // loads, stores and atomics together
    AccessTotals shared;
    AccessTotals local;
    AccessTotals constant;

    double mean_executed_lanes() const { return steps ? double(executed_lanes) / double(steps) : 0; }
};

/// Lines with at least one site, ascending by file, then line. Sites without a line are left out.
std::vector<LineHeat> source_lines(const LaunchReport& report, const Program& program);
/// The same, and the lines of inlined functions: what stands there counts in both, so that a call is the sum
/// of what was made of it.
std::vector<LineHeat> source_and_inlined_lines(const LaunchReport& report, const Program& program);
/// The same per line of Program::ptx.
std::vector<LineHeat> ptx_lines(const LaunchReport& report, const Program& program);

}  // namespace warplens::analysis
