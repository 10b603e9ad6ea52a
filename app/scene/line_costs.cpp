#include "app/scene/line_costs.h"

#include <algorithm>

namespace warplens::app {
namespace {

/// The share of the largest line cost from which a line with excess goes first.
constexpr double comparable = 0.25;

bool is_timed_scene(const Scene& scene) {
    return scene.timing && scene.timing->schedule && scene.report &&
           scene.timing->cost.sites.size() == scene.report->sites.size();
}

}  // namespace

std::uint64_t excess_of(const analysis::AccessTotals& access) {
    const auto beyond = [](std::uint64_t count, std::uint64_t ideal) {
        return count > ideal ? count - ideal : 0;
    };
    return beyond(std::max(access.sectors, access.serialized_sectors), access.ideal_sectors) +
           beyond(access.wavefronts, access.ideal_wavefronts);
}

double cost_of_site(const Scene& scene, SiteId site) {
    if (site >= scene.report->sites.size()) return 0;
    if (is_timed_scene(scene)) return scene.timing->cost.sites[site].exposed;
    return static_cast<double>(excess_of(scene.report->sites[site].access));
}

std::vector<LineCost> line_costs(const Scene& scene) {
    std::vector<LineCost> costs;
    if (!scene.trace || !scene.report) return costs;
    const bool timed = is_timed_scene(scene) && scene.timing->cost.issue_slots > 0;
    for (analysis::LineHeat& line : analysis::source_lines(*scene.report, scene.trace->program)) {
        if (line.line == 0) continue;
        LineCost& here = costs.emplace_back();
        double most = -1;
        for (const SiteId site : line.sites) {
            const double cost = cost_of_site(scene, site);
            const analysis::SiteReport& report = scene.report->sites[site];
            // Of a line's instructions, memory accesses and divergent branches are the most informative.
            const bool informative = report.access.requests > 0 || report.branches_divergent > 0;
            const double rank = informative ? cost + 1 : cost / 16;
            here.cost += cost;
            here.excess += excess_of(report.access);
            if (rank <= most) continue;
            most = rank;
            here.dearest = site;
        }
        here.line = std::move(line);
        if (timed) here.share = here.cost / static_cast<double>(scene.timing->cost.issue_slots);
    }
    return costs;
}

std::optional<LineCost> costliest_line(const Scene& scene) {
    LineCost dearest, wasteful;
    for (const LineCost& here : line_costs(scene)) {
        if (here.cost > dearest.cost) dearest = here;
        if (here.excess > 0 && here.cost > wasteful.cost) wasteful = here;
    }
    LineCost& chosen = wasteful.cost >= comparable * dearest.cost ? wasteful : dearest;
    if (chosen.dearest == no_index) return std::nullopt;
    chosen.costs_most = chosen.cost >= dearest.cost;
    return std::move(chosen);
}

}  // namespace warplens::app
