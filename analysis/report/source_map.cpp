#include "analysis/report/source_map.h"

#include <map>
#include <utility>

#include "analysis/report/inlined_lines.h"

namespace warplens::analysis {
namespace {

void add_site(LineHeat& line, const SiteReport& site, const Site& about) {
    line.sites.push_back(site.site);
    line.steps += site.steps;
    line.executed_lanes += site.executed_lanes;
    line.branches += site.branches;
    line.branches_divergent += site.branches_divergent;
    // A site that accessed several spaces counts in the space of its figures.
    const Space space = about.space != Space::none ? about.space : site.space;
    if (space == Space::local) line.local.add(site.access);
    else if (space == Space::shared) line.shared.add(site.access);
    else if (space == Space::constant) line.constant.add(site.access);
    else if (space == Space::global) line.global.add(site.access);
}

std::vector<LineHeat> finish(std::map<std::pair<std::uint32_t, std::uint32_t>, LineHeat> lines,
                             std::uint64_t steps) {
    std::vector<LineHeat> out;
    for (auto& [at, line] : lines) {
        line.file = at.first;
        line.line = at.second;
        line.step_share = steps > 0 ? double(line.steps) / double(steps) : 0;
        out.push_back(std::move(line));
    }
    return out;
}

}  // namespace

std::vector<LineHeat> source_lines(const LaunchReport& report, const Program& program) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, LineHeat> lines;
    for (const SiteReport& site : report.sites) {
        const Site& about = program.sites[site.site];
        if (about.line > 0) add_site(lines[{about.file, about.line}], site, about);
    }
    return finish(std::move(lines), report.steps);
}

std::vector<LineHeat> source_and_inlined_lines(const LaunchReport& report, const Program& program) {
    const std::vector<InlinedPlace> inlined = inlined_places(program);
    std::map<std::pair<std::uint32_t, std::uint32_t>, LineHeat> lines;
    for (const SiteReport& site : report.sites) {
        const Site& about = program.sites[site.site];
        const InlinedPlace& inner = inlined[site.site];
        if (about.line > 0) add_site(lines[{about.file, about.line}], site, about);
        if (inner.line > 0) add_site(lines[{inner.file, inner.line}], site, about);
    }
    return finish(std::move(lines), report.steps);
}

std::vector<LineHeat> ptx_lines(const LaunchReport& report, const Program& program) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, LineHeat> lines;
    for (const SiteReport& site : report.sites) {
        const Site& about = program.sites[site.site];
        if (about.ptx_line > 0) add_site(lines[{no_index, about.ptx_line}], site, about);
    }
    return finish(std::move(lines), report.steps);
}

}  // namespace warplens::analysis
