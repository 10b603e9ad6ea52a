#include "app/scene/step_spot.h"

#include <algorithm>

#include "trace/query.h"

namespace warplens::app {

Result<Spot> spot_of_step(const trace::Trace& trace, std::uint32_t warp_record, std::uint64_t step) {
    const trace::WarpRecord& warp = trace.warps[warp_record];
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, warp);
    if (step >= steps.size())
        return fail("step={}: warp {} of block {} has steps 0 to {}", step, warp.warp, warp.block,
                    std::max<std::uint64_t>(steps.size(), 1) - 1);
    const trace::Step at = steps.at(step);
    Spot spot;
    spot.warp_record = warp_record;
    spot.visit = static_cast<std::uint32_t>(at.visit - warp.visits_begin);
    spot.site = at.site;
    spot.access = at.access;
    spot.step = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, no_index - 1));
    spot.source_line = trace.program.sites[at.site].line;
    return spot;
}

std::optional<std::uint64_t> step_of_spot(const trace::Trace& trace, const Spot& spot) {
    if (spot.warp_record >= trace.warps.size()) return std::nullopt;
    const trace::WarpRecord& warp = trace.warps[spot.warp_record];
    if (spot.step != no_index && spot.step < trace::step_count(trace, warp)) return spot.step;
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, warp);
    if (spot.access >= warp.accesses_begin && spot.access < warp.accesses_end)
        return steps.step_of_access(spot.access).value_or(0);
    std::uint64_t from = 0;
    if (spot.visit != no_index && warp.visits_begin + spot.visit < warp.visits_end)
        from = steps.first_step_of_visit(warp.visits_begin + spot.visit);
    if (spot.site >= trace.program.sites.size()) return from;
    return steps.find_site(spot.site, from).value_or(from);
}

std::optional<Spot> spot_once_stored(const trace::Trace& trace, const Spot& spot) {
    const trace::WarpRecord& warp = trace.warps[spot.warp_record];
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, warp);
    std::optional<std::uint64_t> store;
    for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end && !store; ++i)
        if (trace.accesses[i].space == Space::shared &&
            trace::operation_of(trace, trace.accesses[i]) == Operation::store)
            store = steps.step_of_access(i);
    if (!store || step_of_spot(trace, spot).value_or(0) > *store) return spot;
    const auto later = steps.find_site(spot.site, *store + 1);
    const auto found = later ? spot_of_step(trace, spot.warp_record, *later) : Result<Spot>(fail("none"));
    return found ? std::optional(*found) : std::nullopt;
}

std::uint32_t requests_until(const trace::Trace& trace, const Spot& spot) {
    const auto step = step_of_spot(trace, spot);
    if (!step) return 0;
    const trace::WarpRecord& warp = trace.warps[spot.warp_record];
    const trace::RecordedSites sites(trace.program);
    const trace::WarpSteps steps(trace, sites, warp);
    for (std::uint64_t at = std::min(*step + 1, steps.size()); at-- > 0;) {
        const trace::Step made = steps.at(at);
        if (made.access != no_access)
            return static_cast<std::uint32_t>(made.access - warp.accesses_begin) + made.access_count;
    }
    return 0;
}

std::uint64_t steps_of_warp(const trace::Trace& trace, std::uint32_t warp_record) {
    return trace::step_count(trace, trace.warps[warp_record]);
}

}  // namespace warplens::app
