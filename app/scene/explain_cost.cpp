#include "app/scene/explain_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/scene/line_costs.h"
#include "app/scene/site_costs.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

/// From this multiple of the line's own cost, and from this share of all issue slots, another line is named.
constexpr double far_dearer = 4, worth_naming = 0.05;

std::vector<SiteId> sites_of_line(const Program& program, SiteId site) {
    const Site& own = program.sites[site];
    std::vector<SiteId> sites{site};
    for (SiteId other = 0; other < program.sites.size(); ++other)
        if (other != site && own.line != 0 && program.sites[other].line == own.line &&
            program.sites[other].file == own.file)
            sites.push_back(other);
    return sites;
}

}  // namespace

ExplainedCost explain_cost(const Scene& scene, SiteId site, Level wanted) {
    const auto costs = site_costs(scene, wanted);
    if (!costs || site >= costs->cost.sites.size()) return {};
    const Site& own = scene.trace->program.sites[site];
    const analysis::SiteCost whole =
        analysis::cost_of(costs->cost, sites_of_line(scene.trace->program, site));
    const bool alone = whole.waited == costs->cost.sites[site].waited;
    ExplainedCost explained;
    explained.sentence =
        analysis::cost_in_words(whole, costs->level, alone ? "it" : fmt::format("line {}", own.line));
    const auto lines = line_costs(scene, wanted);
    const auto most = std::ranges::max_element(lines, {}, &LineCost::cost);
    if (most == lines.end() || most->share < worth_naming || most->cost < far_dearer * whole.exposed ||
        (most->line.line == own.line && most->line.file == own.file))
        return explained;
    explained.dearer_line = most->line.line;
    explained.dearer_site = most->dearest;
    explained.dearer = fmt::format("Line {} costs far more: its waits leave {} of the issue slots empty.",
                                   explained.dearer_line, percent(most->share, 0));
    return explained;
}

}  // namespace warplens::app
