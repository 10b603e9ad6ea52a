#include "app/views/shared/machine_level.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"

namespace warplens::app {
namespace {

/// For each site of one level the other level's instruction of the same PTX line that does the same work: a
/// PTX instruction often becomes several, and the first of an atomic's only prepares its operand. Where the
/// assembler names another PTX line, as for all fetches of an unrolled loop the first one's, it is one of the
/// same line of the source that does just that work.
std::vector<SiteId> same_work(const Program& of, const Program& in) {
    std::unordered_map<std::uint32_t, std::vector<SiteId>> by_line;
    for (SiteId site = 0; site < in.sites.size(); ++site) by_line[in.sites[site].ptx_line].push_back(site);
    by_line.erase(0);
    std::vector<SiteId> found;
    for (const Site& wanted : of.sites) {
        const auto likeness = [&](SiteId id) {
            const Site& site = in.sites[id];
            return (site.kind == wanted.kind) + (site.operation == wanted.operation) +
                   (site.space == wanted.space);
        };
        if (const auto line = by_line.find(wanted.ptx_line); line != by_line.end()) {
            found.push_back(*std::ranges::max_element(line->second, {}, likeness));
            continue;
        }
        const auto same = std::ranges::find_if(in.sites, [&](const Site& site) {
            return wanted.kind == SiteKind::memory && wanted.line != 0 && site.kind == wanted.kind &&
                   site.line == wanted.line && site.file == wanted.file &&
                   site.operation == wanted.operation && site.space == wanted.space;
        });
        found.push_back(same == in.sites.end() ? no_index : static_cast<SiteId>(same - in.sites.begin()));
    }
    return found;
}

/// How many of a warp's accesses are before this one and by the wanted sites.
template <typename Wanted>
std::size_t accesses_before(const trace::Trace& trace, std::uint32_t warp, std::uint64_t access,
                            const Wanted& wanted) {
    std::size_t before = 0;
    for (std::uint64_t at = trace.warps[warp].accesses_begin; at < access; ++at)
        if (wanted(trace.accesses[at].site)) ++before;
    return before;
}

/// The n-th access of a warp by the wanted sites; no_access if it makes fewer.
template <typename Wanted>
std::uint64_t nth_access(const trace::Trace& trace, std::uint32_t warp, const Wanted& wanted,
                         std::size_t nth) {
    for (std::uint64_t at = trace.warps[warp].accesses_begin; at < trace.warps[warp].accesses_end; ++at)
        if (wanted(trace.accesses[at].site) && nth-- == 0) return at;
    return no_access;
}

bool has(const trace::Trace& trace, const Spot& spot) {
    return spot.access < trace.accesses.size() && spot.warp_record < trace.warps.size();
}

}  // namespace

const Scene* MachineLevel::follow(const Scene& scene, Level counts) {
    const std::string why =
        counts == Level::machine ? why_not_machine_counts(scene) : why_not_machine_level(scene);
    if (!why.empty()) {
        scene_ = nullptr;
        return nullptr;
    }
    if (!scene_ || code_ != scene.machine || timing_generation_ != scene.timing_generation ||
        counts_ != counts) {
        if (code_ != scene.machine) {
            own_ = {};
            outer_ = {};
            made_into_ = same_work(scene.trace->program, scene.machine->program);
            made_from_ = same_work(scene.machine->program, scene.trace->program);
        }
        code_ = scene.machine;
        ptx_ = scene.trace;
        same_ = level_of_counts(scene) == Level::machine;
        timing_generation_ = scene.timing_generation;
        counts_ = counts;
        scene_ = at_machine_level(scene, counts);
    }
    return scene_.get();
}

Selection& MachineLevel::selection(Selection& outer) {
    if (!(outer.chosen == outer_)) own_.chosen = to_machine(outer.chosen);
    outer_ = outer.chosen;
    before_ = own_.chosen;
    own_.hover = to_machine(outer.hover);
    own_.next_hover = {};
    own_.wanted_cycles = std::exchange(outer.wanted_cycles, std::nullopt);
    own_.wanted_map = std::exchange(outer.wanted_map, std::nullopt);
    own_.wanted_grid = std::exchange(outer.wanted_grid, std::nullopt);
    return own_;
}

void MachineLevel::give_back(Selection& outer) {
    outer.shown_cycles = own_.shown_cycles;
    if (!(own_.next_hover == Spot{})) outer.next_hover = to_ptx(own_.next_hover);
    if (own_.chosen == before_) return;
    outer_ = outer.chosen = to_ptx(own_.chosen);
}

std::size_t MachineLevel::executions_of(SiteId machine) const {
    const auto merged = std::ranges::find(code_->merged, machine, &analysis::MergedAccess::machine);
    return merged == code_->merged.end() ? 1 : merged->executions;
}

std::vector<SiteId> MachineLevel::made_of(SiteId ptx) const {
    std::vector<SiteId> made;
    for (const analysis::MergedAccess& merged : code_->merged)
        if (std::ranges::find(merged.ptx, ptx) != merged.ptx.end()) made.push_back(merged.machine);
    for (SiteId site = 0; made.empty() && site < made_from_.size(); ++site)
        if (made_from_[site] == ptx && code_->program.sites[site].kind == ptx_->program.sites[ptx].kind)
            made.push_back(site);
    return made;
}

Spot MachineLevel::to_machine(const Spot& spot) const {
    if (same_) return spot;
    Spot out;
    out.warp_record = spot.warp_record;
    out.source_line = spot.source_line;
    out.lane = spot.lane;
    if (spot.site >= made_into_.size()) return out;
    out.site = made_into_[spot.site];
    if (!has(*ptx_, spot) || spot.warp_record >= code_->trace->warps.size()) return out;
    const std::vector<SiteId> made = made_of(spot.site);
    if (made.empty()) return out;
    const std::size_t nth =
        accesses_before(*ptx_, spot.warp_record, spot.access, [&](SiteId site) { return site == spot.site; });
    out.access = nth_access(
        *code_->trace, spot.warp_record,
        [&](SiteId site) { return std::ranges::find(made, site) != made.end(); },
        nth / executions_of(made.front()));
    if (out.access != no_access) out.site = code_->trace->accesses[out.access].site;
    return out;
}

/// Warps of both levels make the same accesses in the same order; of merged ones the first stands for all.
Spot MachineLevel::to_ptx(const Spot& spot) const {
    if (same_) return spot;
    Spot out;
    out.warp_record = spot.warp_record;
    out.source_line = spot.source_line;
    out.lane = spot.lane;
    if (spot.site < made_from_.size()) out.site = made_from_[spot.site];
    if (out.site == no_index || !has(*code_->trace, spot) || spot.warp_record >= ptx_->warps.size())
        return out;
    const std::size_t nth = accesses_before(*code_->trace, spot.warp_record, spot.access,
                                            [&](SiteId site) { return made_from_[site] == out.site; });
    out.access = nth_access(
        *ptx_, spot.warp_record, [&](SiteId site) { return site == out.site; },
        nth * executions_of(spot.site));
    return out;
}

}  // namespace warplens::app
