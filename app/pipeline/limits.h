// Limits: bounds that a project sets on a kernel's metrics, and the result of a run — held or broken, the
// measured value, and the site with the worst value. app/command_line prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/metrics.h"
#include "core/result.h"

namespace warplens::app {

struct Limit {
    const analysis::Metric* metric = nullptr;
    bool at_most = true;  // else at least
    double bound = 0;
};

/// "shared_load.conflict_ways=1", of --max or --min. Errors suggest the nearest metric.
Result<Limit> parse_limit(std::string_view text, bool at_most);
/// The metric of that name; the error suggests the nearest.
Result<const analysis::Metric*> metric_named(const std::string& name);

struct LimitOutcome {
    Limit limit;
    bool held = false;
    std::optional<double> value;
    std::string absent;  // why there is no value: a sentence without a full stop; it breaks the limit
    Provenance provenance = Provenance::exact;
    Level level = Level::ptx;
    std::optional<analysis::MetricSite> worst;  // of the requested lines
};

/// The sites of these lines of the kernel's file, or all of them when no line is given. The error names a
/// line at which nothing can be counted, and the nearest that has something.
Result<std::vector<SiteId>> sites_of_lines(const Program& program, const std::vector<std::uint32_t>& lines);

/// The error: lines are asked for, and a metric has no values per line.
Status check_lines(const std::vector<Limit>& limits, const std::vector<std::uint32_t>& lines);

std::vector<LimitOutcome> check_limits(const std::vector<Limit>& limits, const analysis::LaunchReport& report,
                                       const std::vector<SiteId>& sites, bool whole);

/// "kernels/transpose_tiled.cu:54", or the PTX line where the source is not known.
std::string place_of(const Site& site, const Program& program);

}  // namespace warplens::app
