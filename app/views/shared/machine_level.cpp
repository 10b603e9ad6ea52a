#include "app/views/shared/machine_level.h"

#include <algorithm>
#include <utility>

#include "app/scene/level_of_time.h"
#include "app/scene/machine_code.h"

namespace warplens::app {
namespace {

SiteId site_of_ptx_line(const Program& program, std::uint32_t line) {
    if (line == 0) return no_index;
    const auto at = std::ranges::find(program.sites, line, &Site::ptx_line);
    return at == program.sites.end() ? no_index : static_cast<SiteId>(at - program.sites.begin());
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
        out.site = site_of_ptx_line(code_->program, ptx_->program.sites[spot.site].ptx_line);
    return out;
}

Spot MachineLevel::to_ptx(const Spot& spot) const {
    Spot out;
    out.warp_record = spot.warp_record;
    out.source_line = spot.source_line;
    if (spot.site < code_->program.sites.size())
        out.site = site_of_ptx_line(ptx_->program, code_->program.sites[spot.site].ptx_line);
    // Warps of both levels make the same accesses in the same order; of merged ones the first stands for all.
    if (out.site != no_index && spot.access < code_->trace->accesses.size() &&
        spot.warp_record < ptx_->warps.size())
        out.access = access_of(*ptx_, spot.warp_record, out.site,
                               occurrence(*code_->trace, spot.warp_record, spot.access));
    return out;
}

}  // namespace warplens::app
