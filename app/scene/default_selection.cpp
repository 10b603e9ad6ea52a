#include "app/scene/default_selection.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/memory/banks.h"
#include "analysis/memory/coalescing.h"
#include "analysis/memory/stored_request.h"
#include "analysis/warps/collectives.h"
#include "analysis/warps/warp_divergence.h"
#include "app/scene/line_costs.h"
#include "app/scene/own_source.h"
#include "app/scene/problem_spot.h"
#include "app/scene/same_step.h"
#include "app/scene/step_spot.h"
#include "app/scene/view_list.h"
#include "core/image_words.h"
#include "core/matrix_fragment.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

using analysis::SiteReport;

/// A site behaves alike in all warps; this many accesses are enough to find its worst.
constexpr std::uint64_t accesses_looked_at = 1 << 16;

using SiteCost = std::function<double(const SiteReport&)>;

/// A site without excess counts a little, so that a perfect kernel has something to show.
double bank_cost(const SiteReport& site) {
    const auto& access = site.access;
    if (access.wavefronts == 0) return 0;
    return double(access.wavefronts) - double(access.ideal_wavefronts) + 1e-6;
}

double sector_cost(const SiteReport& site) {
    const auto& access = site.access;
    if (access.requests == 0 || access.sectors == 0) return 0;
    return double(access.sectors) - double(access.ideal_sectors) + 1e-6;
}

Spot spot_of_site(const trace::Trace& trace, SiteId site) {
    Spot spot;
    spot.site = site;
    spot.source_line = trace.program.sites[site].line;
    spot.warp_record = 0;
    return spot;
}

double branch_cost(const SiteReport& site) {
    return site.branches_divergent ? double(site.branches_divergent) : 0;
}

/// How far apart neighbouring lanes are in the site's first recorded access, 0 where they are adjacent or
/// at one address: of two sites that cost the same, the wider one has more to show.
std::uint64_t reach(const trace::Trace& trace, SiteId site) {
    for (const trace::AccessRecord& access : trace.accesses) {
        if (access.site != site) continue;
        const auto apart = static_cast<std::uint64_t>(std::abs(std::int64_t{access.stride}));
        return access.scattered || apart <= trace.program.sites[site].bytes_per_lane ? 0 : apart;
    }
    return 0;
}

/// Of two sites that cost the same, which has more to show: the wider one, then a load, which reads what many
/// lanes wrote, rather than a store.
std::pair<std::uint64_t, bool> interest(const trace::Trace& trace, SiteId site) {
    return {reach(trace, site), trace.program.sites[site].operation == Operation::load};
}

SiteId worst_site(const Scene& scene, const SiteCost& cost) {
    SiteId worst = no_index;
    double most = 0;
    for (const SiteReport& site : scene.report->sites) {
        const double here = cost(site);
        if (here <= 0 || here < most || site.site >= scene.trace->program.sites.size()) continue;
        if (here == most && worst != no_index &&
            interest(*scene.trace, site.site) <= interest(*scene.trace, worst))
            continue;
        most = here;
        worst = site.site;
    }
    return worst;
}

Spot spot_of_access(const trace::Trace& trace, std::uint64_t access) {
    Spot spot;
    const trace::AccessRecord& record = trace.accesses[access];
    spot.access = access;
    spot.site = record.site;
    spot.source_line = trace.program.sites[record.site].line;
    const trace::WarpRecord& warp = trace::warp_of_access(trace, access);
    spot.warp_record = static_cast<std::uint32_t>(&warp - trace.warps.data());
    return spot;
}

/// How far the request is from its ideal, in wavefronts or sectors.
double excess(const trace::Trace& trace, std::uint64_t index) {
    const analysis::StoredRequest stored(trace, index);
    const trace::AccessRecord& record = stored.record;
    const trace::Access access = stored.access();
    if (record.space == Space::shared) {
        const auto count = analysis::count_wavefronts(access);
        return double(count.wavefronts) - double(count.ideal_wavefronts);
    }
    if (record.space == Space::constant) {
        const auto count = analysis::count_constant_wavefronts(access);
        return double(count.wavefronts) - double(count.ideal_wavefronts);
    }
    // How the lanes divide here is not known.
    if (is_image(record.space) || record.space == Space::shared_cluster) return 0;
    const auto count = record.space == Space::local ? analysis::count_local_sectors(access)
                                                    : analysis::count_sectors(access);
    return double(count.sectors) - double(count.ideal_sectors);
}

/// If no branch divides its warp: the branch at which the warps differ most from each other.
SiteId undivided_branch(const Scene& scene) {
    const trace::Trace& trace = *scene.trace;
    struct Ways {
        std::uint64_t all = 0, none = 0;
    };
    std::vector<Ways> ways(trace.program.sites.size());
    for (const trace::MaskRecord& record : trace.masks)
        ++(record.mask.empty() ? ways[record.site].none : ways[record.site].all);
    SiteId chosen = no_index;
    double most = -1;
    for (const SiteReport& site : scene.report->sites) {
        if (site.branches == 0 || site.site >= ways.size()) continue;
        const Ways& way = ways[site.site];
        const double here =
            double(std::min(way.all, way.none)) / double(std::max<std::uint64_t>(way.all + way.none, 1));
        if (here <= most) continue;
        most = here;
        chosen = site.site;
    }
    return chosen;
}

/// The most divergent of the recorded warps that took both ways of the branch.
Spot divergent_branch(const trace::Trace& trace, SiteId site) {
    Spot spot;
    spot.site = site;
    spot.source_line = trace.program.sites[site].line;
    for (const analysis::WarpDivergence& ranked : analysis::warps_by_divergence(trace)) {
        if (spot.warp_record != no_index) break;
        const trace::WarpRecord& warp = trace.warps[ranked.warp_record];
        const LaneMask lanes = trace.launch.geometry.warp_lanes(static_cast<int>(warp.warp));
        for (std::uint64_t m = warp.masks_begin; m < warp.masks_end; ++m)
            if (trace.masks[m].site == site && !trace.masks[m].mask.empty() && trace.masks[m].mask != lanes) {
                spot.warp_record = ranked.warp_record;
                break;
            }
    }
    if (spot.warp_record == no_index) spot.warp_record = 0;
    return spot;
}

/// The atomic request with the most rounds, among a bounded number of the first ones.
Spot most_contended(const trace::Trace& trace) {
    std::uint64_t busiest = no_access, looked_at = 0;
    std::uint32_t most = 0;
    for (std::uint64_t i = 0; i < trace.accesses.size() && looked_at < accesses_looked_at; ++i) {
        const trace::AccessRecord& record = trace.accesses[i];
        if (trace::operation_of(trace, record) != Operation::atomic) continue;
        ++looked_at;
        const trace::Addresses addresses = trace::addresses_of(trace, record);
        const std::uint32_t rounds = analysis::count_atomic_rounds({record.site, record.mask, record.space,
                                                                    Operation::atomic, 4, &addresses})
                                         .rounds;
        if (rounds <= most) continue;
        most = rounds;
        busiest = i;
    }
    return busiest == no_access ? Spot{} : spot_of_access(trace, busiest);
}

/// The first product of matrices: its operands show more than the load of one of them.
Spot matrix_product(const trace::Trace& trace) {
    for (SiteId site = 0; site < trace.program.sites.size(); ++site) {
        const auto form = matrix_instruction(trace.program.sites[site].opcode);
        if (form && form->work == MatrixWork::multiply) return spot_of_site(trace, site);
    }
    return {};
}

/// The first shuffle, vote or match of the first recorded warp that has one.
Spot first_collective(const trace::Trace& trace) {
    constexpr std::uint32_t warps_looked_at = 64;
    for (std::uint32_t warp = 0; warp < std::min<std::size_t>(trace.warps.size(), warps_looked_at); ++warp) {
        const auto collectives = analysis::warp_collectives(trace, warp);
        if (collectives.empty()) continue;
        Spot spot = spot_of_site(trace, collectives.front().site);
        spot.warp_record = warp;
        return spot;
    }
    return {};
}

/// The site with most requests to the shared memory of the cluster.
Spot cluster_access(const Scene& scene) {
    const trace::Trace& trace = *scene.trace;
    SiteId busiest = no_index;
    std::uint64_t most = 0;
    for (const SiteReport& site : scene.report->sites) {
        if (site.space != Space::shared_cluster || site.access.requests <= most) continue;
        most = site.access.requests;
        busiest = site.site;
    }
    if (busiest == no_index) return {};
    return worst_access(trace, [&](std::uint64_t access) { return trace.accesses[access].site == busiest; });
}

/// What costs most, of any kind.
Spot dearest(const Scene& scene) {
    const auto line = costliest_line(scene, Level::machine);
    return line ? spot_at(scene, line->dearest) : Spot{};
}

/// The same of what computes, reads or writes a value; where the kernel uses shared memory, once that holds
/// something.
Spot dearest_with_values(const Scene& scene) {
    const auto has_values = [&](const LineCost& line) {
        if (line.dearest == no_index) return false;
        const SiteKind kind = scene.trace->program.sites[line.dearest].kind;
        return kind == SiteKind::lanewise || kind == SiteKind::memory || kind == SiteKind::warp_wide;
    };
    std::vector<LineCost> lines = line_costs(scene, Level::machine);
    std::erase_if(lines, [&](const LineCost& line) { return !has_values(line); });
    std::ranges::stable_sort(lines, std::ranges::greater(), &LineCost::cost);
    for (const LineCost& line : lines)
        if (const auto spot = spot_once_stored(*scene.trace, spot_at(scene, line.dearest))) return *spot;
    return lines.empty() ? Spot{} : spot_at(scene, lines.front().dearest);
}

/// The problem at what costs most, else the first one that has a place.
Spot what_is_wrong(const Scene& scene) {
    if (scene.report->problems.empty()) return {};
    if (const Problem* problem = problem_of_site(scene, dearest(scene).site))
        return spot_of_problem(scene, *problem);
    for (const Problem& problem : scene.report->problems)
        if (problem.site < scene.trace->program.sites.size() && !analysis::is_found_at_load(problem))
            return spot_of_problem(scene, problem);
    return {};
}

}  // namespace

Spot spot_at(const Scene& scene, SiteId site) {
    const trace::Trace& trace = *scene.trace;
    const Spot spot =
        worst_access(trace, [&](std::uint64_t access) { return trace.accesses[access].site == site; });
    if (spot.access != no_access) return spot;
    if (scene.report->sites[site].branches_divergent > 0) return divergent_branch(trace, site);
    return spot_of_site(trace, site);
}

Spot worst_access(const trace::Trace& trace, const std::function<bool(std::uint64_t access)>& wanted) {
    std::uint64_t worst = no_access, looked_at = 0;
    double most = -1;
    for (std::uint64_t i = 0; i < trace.accesses.size() && looked_at < accesses_looked_at; ++i) {
        if (!wanted(i)) continue;
        ++looked_at;
        if (const double here = excess(trace, i); here > most) {
            most = here;
            worst = i;
        }
    }
    return worst == no_access ? Spot{} : spot_of_access(trace, worst);
}

Spot default_selection(const Scene& scene, std::string_view view) {
    if (!scene.trace || !scene.report || scene.trace->warps.empty()) return {};
    const trace::Trace& trace = *scene.trace;
    const ViewRow* row = find_view_row(view);
    const bool has_views = scene.kernel && !scene.kernel->views.empty();
    // A view without a subject of its own shows what the kernel's first view shows.
    if (row == nullptr || row->place == ViewPlace::explain)
        row = has_views ? find_view_row(scene.kernel->views.front()) : nullptr;
    const ViewSubject subject = row != nullptr ? row->subject : ViewSubject::none;
    if (subject == ViewSubject::matrices)
        if (const Spot spot = matrix_product(trace); spot.site != no_index) return spot;
    if (subject == ViewSubject::collectives)
        if (const Spot spot = first_collective(trace); spot.site != no_index) return spot;
    if (subject == ViewSubject::clusters)
        if (const Spot spot = cluster_access(scene); spot.site != no_index) return spot;
    if (subject == ViewSubject::atomic)
        if (const Spot spot = most_contended(trace); spot.access != no_access) return spot;
    if (subject == ViewSubject::branches) {
        SiteId branch = worst_site(scene, branch_cost);
        if (branch == no_index) branch = undivided_branch(scene);
        if (branch != no_index) return divergent_branch(trace, branch);
    }
    const bool has_cost = memory_kind(subject).has_value() || subject == ViewSubject::branches;
    if (!has_cost) {
        if (const Spot spot = what_is_wrong(scene); spot.site != no_index) return spot;
        const Spot spot = subject == ViewSubject::values ? dearest_with_values(scene) : dearest(scene);
        if (spot.site != no_index) return spot;
    }
    const bool sectors_first = subject == ViewSubject::global_or_local;
    for (const bool sectors : {sectors_first, !sectors_first}) {
        const SiteId site = worst_site(scene, sectors ? SiteCost(sector_cost) : SiteCost(bank_cost));
        if (site == no_index) continue;
        const auto of_site = [&](std::uint64_t access) { return trace.accesses[access].site == site; };
        if (const Spot spot = worst_access(trace, of_site); spot.access != no_access) return spot;
    }
    Spot spot;
    spot.warp_record = 0;
    return spot;
}

Spot default_selection(const Scene& scene) { return default_selection(scene, ""); }

namespace {

/// The warp itself, or the last one if the launch has become smaller.
const trace::WarpRecord* nearest_warp(const trace::Trace& trace, const trace::WarpRecord& wanted) {
    if (const trace::WarpRecord* same = trace::find_warp(trace, wanted.block, wanted.warp)) return same;
    const trace::WarpRecord* nearest = nullptr;
    for (const trace::WarpRecord& warp : trace.warps) {
        if (warp.block > wanted.block || (warp.block == wanted.block && warp.warp > wanted.warp)) continue;
        if (!nearest || warp.block > nearest->block ||
            (warp.block == nearest->block && warp.warp > nearest->warp))
            nearest = &warp;
    }
    return nearest;
}

}  // namespace

Spot carried_over(const Scene& from, const Spot& spot, const Scene& to, const Spot& fallback) {
    if (!from.trace || !to.trace || !run_the_same_kernel(*from.trace, *to.trace)) return fallback;
    if (spot == Spot{}) return fallback;
    const trace::Trace& old_trace = *from.trace;
    const trace::Trace& trace = *to.trace;

    Spot carried;
    carried.lane = spot.lane;
    const std::vector<std::uint32_t> moved = moved_lines(old_trace.program, trace.program);
    const auto line_now = [&](std::uint32_t line) {
        return moved.empty() ? line : line < moved.size() ? moved[line] : 0;
    };
    carried.source_line = line_now(spot.source_line);
    if (spot.warp_record < old_trace.warps.size()) {
        const trace::WarpRecord& old_warp = old_trace.warps[spot.warp_record];
        const trace::WarpRecord* warp = nearest_warp(trace, old_warp);
        if (!warp) return fallback;
        carried.warp_record = static_cast<std::uint32_t>(warp - trace.warps.data());
    }
    if (spot.site >= old_trace.program.sites.size()) return carried;

    // The compiler may unroll differently; the same line, space and operation is the same access to a person.
    const Site& old_site = old_trace.program.sites[spot.site];
    const std::uint32_t line = line_now(old_site.line);
    if (line == 0 && old_site.line != 0) return fallback;
    const auto alike_on = [&](std::uint32_t of_line, const Site& site) {
        return site.line == of_line && site.kind == old_site.kind && site.space == old_site.space &&
               site.operation == old_site.operation && site.bytes_per_lane == old_site.bytes_per_lane;
    };
    const auto alike = [&](const Site& site) { return alike_on(line, site); };
    if (spot.access == no_access) {
        if (spot.step != no_index)
            if (const auto same = same_step(from, spot, to)) return *same;
        const auto site = std::ranges::find_if(trace.program.sites, alike);
        if (site == trace.program.sites.end()) return fallback;
        carried.site = static_cast<SiteId>(site - trace.program.sites.begin());
        return carried;
    }
    if (carried.warp_record == no_index) return fallback;
    // The n-th such access of the warp, or its last when there are fewer now.
    const trace::WarpRecord& old_warp = old_trace.warps[spot.warp_record];
    std::uint64_t before = 0;
    for (std::uint64_t i = old_warp.accesses_begin; i < std::min(spot.access, old_warp.accesses_end); ++i)
        if (alike_on(old_site.line, old_trace.program.sites[old_trace.accesses[i].site])) ++before;
    const trace::WarpRecord& warp = trace.warps[carried.warp_record];
    for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
        if (!alike(trace.program.sites[trace.accesses[i].site])) continue;
        carried.access = i;
        carried.site = trace.accesses[i].site;
        if (before-- == 0) break;
    }
    return carried.access == no_access ? fallback : carried;
}

}  // namespace warplens::app
