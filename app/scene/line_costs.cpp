#include "app/scene/line_costs.h"

#include <algorithm>

#include "app/scene/site_costs.h"

namespace warplens::app {
namespace {

/// The share of the largest cost from which a line or site with excess goes first.
constexpr double comparable = 0.25;

/// Sectors, wavefronts and serialized atomics.
std::uint64_t units_of(const analysis::AccessTotals& access) {
    return std::max(access.sectors, access.serialized_sectors) + access.wavefronts;
}

/// Of a line's sites, those that cause much of its excess; empty if its requests are near their ideal.
std::vector<SiteId> wasteful_sites(const analysis::LaunchReport& report, const std::vector<SiteId>& sites) {
    std::uint64_t excess = 0, units = 0, most = 0;
    for (const SiteId site : sites) {
        const std::uint64_t here = excess_of(report.sites[site].access);
        excess += here;
        most = std::max(most, here);
        units += units_of(report.sites[site].access);
    }
    std::vector<SiteId> wasteful;
    if (excess == 0 || static_cast<double>(excess) < comparable * static_cast<double>(units)) return wasteful;
    for (const SiteId site : sites)
        // Compared with the most wasteful one: of an unrolled loop no site has a large part of the sum.
        if (static_cast<double>(excess_of(report.sites[site].access)) >=
            comparable * static_cast<double>(most))
            wasteful.push_back(site);
    return wasteful;
}

}  // namespace

std::uint64_t excess_of(const analysis::AccessTotals& access) {
    const auto beyond = [](std::uint64_t count, std::uint64_t ideal) {
        return count > ideal ? count - ideal : 0;
    };
    return beyond(std::max(access.sectors, access.serialized_sectors), access.ideal_sectors) +
           beyond(access.wavefronts, access.ideal_wavefronts);
}

std::vector<LineCost> line_costs(const Scene& scene, Level wanted) {
    std::vector<LineCost> costs;
    if (!scene.trace || !scene.report) return costs;
    const auto timed = site_costs(scene, wanted);
    const auto cost_of_site = [&](SiteId site) {
        if (!timed) return static_cast<double>(excess_of(scene.report->sites[site].access));
        return timed->cost.sites[site].exposed;
    };
    for (analysis::LineHeat& line : analysis::source_lines(*scene.report, scene.trace->program)) {
        if (line.line == 0) continue;
        LineCost& here = costs.emplace_back();
        const std::vector<SiteId> wasteful = wasteful_sites(*scene.report, line.sites);
        double most = -1;
        for (const SiteId site : line.sites) {
            const double cost = cost_of_site(site);
            const analysis::SiteReport& report = scene.report->sites[site];
            here.cost += cost;
            here.excess += excess_of(report.access);
            if (!wasteful.empty() && std::ranges::find(wasteful, site) == wasteful.end()) continue;
            // Of a line's instructions, memory accesses and divergent branches are the most informative.
            const bool informative = report.access.requests > 0 || report.branches_divergent > 0;
            const double rank = informative ? cost + 1 : cost / 16;
            if (rank <= most) continue;
            most = rank;
            here.dearest = site;
        }
        here.line = std::move(line);
        if (timed && timed->cost.issue_slots > 0)
            here.share = here.cost / static_cast<double>(timed->cost.issue_slots);
    }
    return costs;
}

SiteId dearest_of_line(const Scene& scene, std::uint32_t line, Level wanted) {
    LineCost dearest;
    for (const LineCost& here : line_costs(scene, wanted))
        if (here.line.line == line && (dearest.dearest == no_index || here.cost > dearest.cost))
            dearest = here;
    return dearest.dearest;
}

std::optional<LineCost> costliest_line(const Scene& scene, Level wanted) {
    LineCost dearest, wasteful;
    for (const LineCost& here : line_costs(scene, wanted)) {
        if (here.cost > dearest.cost) dearest = here;
        if (here.excess > 0 && here.cost > wasteful.cost) wasteful = here;
    }
    LineCost& chosen = wasteful.cost >= comparable * dearest.cost ? wasteful : dearest;
    if (chosen.dearest == no_index) return std::nullopt;
    chosen.costs_most = chosen.cost >= dearest.cost;
    return std::move(chosen);
}

}  // namespace warplens::app
