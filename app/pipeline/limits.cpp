#include "app/pipeline/limits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/number_text.h"
#include "instrumentation/catalog/suggestion.h"

namespace warplens::app {

Result<const analysis::Metric*> metric_named(const std::string& name) {
    if (const analysis::Metric* metric = analysis::find_metric(name)) return metric;
    return fail("there is no metric `{}`{} (docs/metrics.md lists them all)", name,
                instrumentation::did_you_mean(name, analysis::metric_names()));
}

Result<Limit> parse_limit(std::string_view text, bool at_most) {
    const char* flag = at_most ? "--max" : "--min";
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return fail("{} {}: a limit is METRIC=VALUE, for example {} {}", flag, text, flag,
                    at_most ? "shared_load.conflict_ways=1" : "occupancy.theoretical=0.5");
    auto metric = metric_named(std::string(text.substr(0, equals)));
    if (!metric) return fail("{} {}: {}", flag, text, metric.error().message);
    const std::string_view number = text.substr(equals + 1);
    const auto bound = number_from<double>(number);
    if (!bound || !std::isfinite(*bound)) return fail("{} {}: '{}' is not a number", flag, text, number);
    return Limit{*metric, at_most, *bound};
}

Result<std::vector<SiteId>> sites_of_lines(const Program& program, const std::vector<std::uint32_t>& lines) {
    std::vector<SiteId> sites;
    for (SiteId site = 0; site < program.sites.size(); ++site)
        if (lines.empty() || std::ranges::count(lines, program.sites[site].line) > 0) sites.push_back(site);
    for (const std::uint32_t line : lines) {
        std::uint32_t nearest = 0;
        for (const Site& site : program.sites)
            if (site.line > 0 && (nearest == 0 || std::abs(std::int64_t{site.line} - line) <
                                                      std::abs(std::int64_t{nearest} - line)))
                nearest = site.line;
        if (nearest == 0) return fail("--site {}: the kernel's lines are not known", line);
        if (nearest != line)
            return fail("--site {}: nothing executes at this line; the nearest is {}", line, nearest);
    }
    return sites;
}

Status check_lines(const std::vector<Limit>& limits, const std::vector<std::uint32_t>& lines) {
    if (lines.empty()) return {};
    for (const Limit& limit : limits)
        if (!limit.metric->of_sites)
            return fail("--site {}: {} is of the whole launch, not of a line; check it without --site",
                        lines.front(), limit.metric->name);
    return {};
}

std::vector<LimitOutcome> check_limits(const std::vector<Limit>& limits, const analysis::LaunchReport& report,
                                       const std::vector<SiteId>& sites, bool whole) {
    const analysis::MetricSums sums =
        whole ? analysis::whole_launch(report) : analysis::of_sites(report, sites);
    std::vector<LimitOutcome> outcomes;
    for (const Limit& limit : limits) {
        LimitOutcome outcome;
        outcome.limit = limit;
        outcome.provenance = analysis::provenance_of(*limit.metric, report);
        outcome.level = analysis::level_of(*limit.metric, report);
        if (const auto value = limit.metric->read(sums)) {
            outcome.value = *value;
            outcome.held = limit.at_most ? *value <= limit.bound : *value >= limit.bound;
            outcome.worst = analysis::worst_site(*limit.metric, report, sites);
        } else {
            outcome.absent = value.error().message;
        }
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

std::string place_of(const Site& site, const Program& program) {
    if (site.line > 0 && site.file < program.sources.size())
        return fmt::format("{}:{}", program.sources[site.file].name, site.line);
    return fmt::format("PTX line {}", site.ptx_line);
}

}  // namespace warplens::app
