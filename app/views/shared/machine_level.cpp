#include "app/views/shared/machine_level.h"

#include <algorithm>
#include <utility>

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"

namespace warplens::app {
namespace {

/// The instruction made of the same PTX line that does the same work: a PTX instruction often becomes
/// several, and the first of an atomic's only prepares its operand.
SiteId same_work(const Program& program, const Site& wanted) {
    if (wanted.ptx_line == 0) return no_index;
    const auto likeness = [&](const Site& site) {
        return (site.kind == wanted.kind) + (site.operation == wanted.operation) +
               (site.space == wanted.space);
    };
    SiteId best = no_index;
    for (SiteId site = 0; site < program.sites.size(); ++site)
        if (program.sites[site].ptx_line == wanted.ptx_line &&
            (best == no_index || likeness(program.sites[site]) > likeness(program.sites[best])))
            best = site;
    return best;
}

/// Which access of its warp and site an access is, from 0.
std::size_t occurrence(const trace::Trace& trace, std::uint32_t warp, std::uint64_t access) {
    std::size_t before = 0;
    for (std::uint64_t at = trace.warps[warp].accesses_begin; at < access; ++at)
        if (trace.accesses[at].site == trace.accesses[access].site) ++before;
    return before;
}

/// The n-th access of a site by a warp; no_access if it makes fewer.
std::uint64_t access_of(const trace::Trace& trace, std::uint32_t warp, SiteId site, std::size_t nth) {
    for (std::uint64_t at = trace.warps[warp].accesses_begin; at < trace.warps[warp].accesses_end; ++at)
        if (trace.accesses[at].site == site && nth-- == 0) return at;
    return no_access;
}

}  // namespace

const Scene* MachineLevel::follow(const Scene& scene) {
    if (!why_not_machine_level(scene).empty()) {
        scene_ = nullptr;
        return nullptr;
    }
    if (!scene_ || code_ != scene.machine || timing_generation_ != scene.timing_generation) {
        if (code_ != scene.machine) own_ = {};
        if (code_ != scene.machine) outer_ = {};
        code_ = scene.machine;
        ptx_ = scene.trace;
        timing_generation_ = scene.timing_generation;
        scene_ = at_machine_level(scene);
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
    return own_;
}

void MachineLevel::give_back(Selection& outer) {
    outer.shown_cycles = own_.shown_cycles;
    if (!(own_.next_hover == Spot{})) outer.next_hover = to_ptx(own_.next_hover);
    if (own_.chosen == before_) return;
    outer_ = outer.chosen = to_ptx(own_.chosen);
}

Spot MachineLevel::to_machine(const Spot& spot) const {
    Spot out;
    out.warp_record = spot.warp_record;
    out.source_line = spot.source_line;
    if (spot.site < ptx_->program.sites.size())
        out.site = same_work(code_->program, ptx_->program.sites[spot.site]);
    return out;
}

Spot MachineLevel::to_ptx(const Spot& spot) const {
    Spot out;
    out.warp_record = spot.warp_record;
    out.source_line = spot.source_line;
    if (spot.site < code_->program.sites.size())
        out.site = same_work(ptx_->program, code_->program.sites[spot.site]);
    // Warps of both levels make the same accesses in the same order; of merged ones the first stands for all.
    if (out.site != no_index && spot.access < code_->trace->accesses.size() &&
        spot.warp_record < ptx_->warps.size())
        out.access = access_of(*ptx_, spot.warp_record, out.site,
                               occurrence(*code_->trace, spot.warp_record, spot.access));
    return out;
}

}  // namespace warplens::app
