#include "trace/check.h"

#include <string_view>
#include <tuple>

namespace warplens::trace {

namespace {

constexpr std::uint64_t max_accesses = 0xffffffffu;  // AccessIndex counts with 32 bits

Status check_part(std::string_view what, std::uint64_t begin, std::uint64_t end, std::uint64_t previous,
                  std::uint64_t size) {
    if (begin != previous || end < begin || end > size)
        return fail("the {} of a warp are {} to {}, but should begin at {} and end within {}", what, begin,
                    end, previous, size);
    return {};
}

Status check_warps(const Trace& trace) {
    const std::uint64_t blocks = trace.launch.geometry.blocks();
    const auto warps = static_cast<std::uint32_t>(trace.launch.geometry.warps_per_block());
    WarpRecord previous{};
    bool first = true;
    for (const WarpRecord& warp : trace.warps) {
        if (warp.block >= blocks || warp.warp >= warps)
            return fail("warp {} of block {} is outside a launch of {} blocks of {} warps", warp.warp,
                        warp.block, blocks, warps);
        if (!first && std::tie(warp.block, warp.warp) <= std::tie(previous.block, previous.warp))
            return fail("warp {} of block {} comes after warp {} of block {}; warps should ascend", warp.warp,
                        warp.block, previous.warp, previous.block);
        if (auto ok = check_part("visits", warp.visits_begin, warp.visits_end, previous.visits_end,
                                 trace.visits.size());
            !ok)
            return ok;
        if (auto ok = check_part("accesses", warp.accesses_begin, warp.accesses_end, previous.accesses_end,
                                 trace.accesses.size());
            !ok)
            return ok;
        if (auto ok =
                check_part("masks", warp.masks_begin, warp.masks_end, previous.masks_end, trace.masks.size());
            !ok)
            return ok;
        if (auto ok = check_part("exchanges", warp.exchanges_begin, warp.exchanges_end,
                                 previous.exchanges_end, trace.exchanges.size());
            !ok)
            return ok;
        previous = warp;
        first = false;
    }
    if (previous.visits_end != trace.visits.size() || previous.accesses_end != trace.accesses.size() ||
        previous.masks_end != trace.masks.size())
        return fail("{} visits, {} accesses and {} masks are recorded, but the warps own {}, {} and {}",
                    trace.visits.size(), trace.accesses.size(), trace.masks.size(), previous.visits_end,
                    previous.accesses_end, previous.masks_end);
    if (previous.exchanges_end != trace.exchanges.size())
        return fail("{} exchanges are recorded, but the warps own {}", trace.exchanges.size(),
                    previous.exchanges_end);
    return {};
}

/// Lanes beyond the block's threads do not exist; code that reads a trace indexes threads by them.
Status check_lanes(const Trace& trace) {
    const LaunchGeometry& geometry = trace.launch.geometry;
    for (const WarpRecord& warp : trace.warps) {
        const LaneMask lanes = geometry.warp_lanes(static_cast<int>(warp.warp));
        const auto outside = [&](LaneMask mask) { return !(mask & ~lanes).empty(); };
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i)
            if (outside(trace.visits[i].active))
                return fail("a visit of warp {} of block {} has active lanes without a thread", warp.warp,
                            warp.block);
        for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i)
            if (outside(trace.accesses[i].mask))
                return fail("an access of warp {} of block {} has active lanes without a thread", warp.warp,
                            warp.block);
    }
    return {};
}

Status check_problems(const Trace& trace) {
    const LaunchGeometry& geometry = trace.launch.geometry;
    const auto is_inside = [](Dim3 at, Dim3 extent) {
        return at.x < extent.x && at.y < extent.y && at.z < extent.z;
    };
    for (const Problem& problem : trace.problems) {
        for (const SiteId site : {problem.site, problem.other ? problem.other->site : no_index})
            if (site != no_index && site >= trace.program.sites.size())
                return fail("a problem names site {}, but the program has {}", site,
                            trace.program.sites.size());
        if (!problem.child.empty()) {  // its blocks are of a grid that the trace does not hold
            if (problem.site != no_index || (problem.other && problem.other->site != no_index))
                return fail("a problem of a child grid names site {}", problem.site);
            continue;
        }
        const bool other_is_inside = !problem.other || (is_inside(problem.other->block, geometry.grid) &&
                                                        is_inside(problem.other->thread, geometry.block));
        if (!is_inside(problem.block, geometry.grid) || !is_inside(problem.thread, geometry.block) ||
            !other_is_inside)
            return fail("a problem at site {} names a thread outside the launch", problem.site);
    }
    return {};
}

Status check_measured(const Trace& trace) {
    if (!trace.measured) return {};
    const Measured& measured = *trace.measured;
    if (const std::string wrong = check(measured); !wrong.empty()) return fail("{}", wrong);
    const LaunchGeometry& geometry = trace.launch.geometry;
    for (const MeasuredWarp& warp : measured.warps) {
        if (warp.block >= geometry.blocks() ||
            warp.warp >= static_cast<std::uint32_t>(geometry.warps_per_block()))
            return fail("measured warp {} of block {} is outside a launch of {} blocks of {} warps",
                        warp.warp, warp.block, geometry.blocks(), geometry.warps_per_block());
        const LaneMask lanes = geometry.warp_lanes(static_cast<int>(warp.warp));
        for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
            const MeasuredVisit& visit = measured.visits[i];
            if (visit.basic_block >= trace.program.basic_blocks.size())
                return fail("a measured visit names basic block {}, but the program has {}",
                            visit.basic_block, trace.program.basic_blocks.size());
            if (!(LaneMask{visit.active} & ~lanes).empty())
                return fail("a measured visit of warp {} of block {} has active lanes without a thread",
                            warp.warp, warp.block);
        }
    }
    return {};
}

}  // namespace

Status check(const Trace& trace) {
    WARPLENS_TRY(check_static(trace.launch, trace.program));
    if (trace.accesses.size() > max_accesses)
        return fail("{} accesses exceed the limit of {} for a trace", trace.accesses.size(), max_accesses);
    WARPLENS_TRY(check_warps(trace));
    for (const Visit& visit : trace.visits)
        if (visit.basic_block >= trace.program.basic_blocks.size())
            return fail("a visit names basic block {}, but the program has {}", visit.basic_block,
                        trace.program.basic_blocks.size());
    for (const MaskRecord& mask : trace.masks)
        if (mask.site >= trace.program.sites.size())
            return fail("a mask names site {}, but the program has {}", mask.site,
                        trace.program.sites.size());
    for (const ExchangeRecord& exchange : trace.exchanges) {
        if (exchange.site >= trace.program.sites.size())
            return fail("an exchange names site {}, but the program has {}", exchange.site,
                        trace.program.sites.size());
        if (exchange.mask.empty()) return fail("an exchange at site {} has no active lane", exchange.site);
        for (const std::uint32_t bits : exchange.bits)
            if ((bits & ~exchange.mask.bits) != 0)
                return fail("an exchange at site {} has values of lanes that did not participate",
                            exchange.site);
    }
    std::uint64_t exceptions = 0, first_of_warp = 0;
    auto warp = trace.warps.begin();
    for (std::uint64_t i = 0; i < trace.accesses.size(); ++i) {
        const AccessRecord& access = trace.accesses[i];
        for (; i >= warp->accesses_end; ++warp) first_of_warp = exceptions;
        if (access.site >= trace.program.sites.size())
            return fail("an access names site {}, but the program has {}", access.site,
                        trace.program.sites.size());
        if (access.mask.empty()) return fail("an access at site {} has no active lane", access.site);
        if (access.space == Space::none || static_cast<int>(access.space) >= space_count)
            return fail("an access at site {} has no state space", access.site);
        if (!access.scattered) continue;
        const auto count = static_cast<std::uint64_t>(access.mask.count());
        if (access.stride != 0) {
            const auto like = static_cast<std::uint64_t>(std::int64_t{access.stride} - 1);
            if (access.stride < 0 || like < first_of_warp || like + count > exceptions)
                return fail(
                    "an access at site {} repeats the one at exception {}, where its warp had {} to {}",
                    access.site, std::int64_t{access.stride} - 1, first_of_warp, exceptions);
            continue;
        }
        if (access.base != exceptions)
            return fail("a scattered access at site {} begins at exception {} instead of {}", access.site,
                        access.base, exceptions);
        exceptions += count;
    }
    if (exceptions != trace.exceptions.size())
        return fail("scattered accesses own {} exceptions, but {} are recorded", exceptions,
                    trace.exceptions.size());
    WARPLENS_TRY(check_lanes(trace));
    WARPLENS_TRY(check_problems(trace));
    for (const Activity& activity : trace.activities)
        if (const std::string wrong = check(activity); !wrong.empty())
            return fail("its activity \"{}\" is malformed: {}", activity.name, wrong);
    return check_measured(trace);
}

}  // namespace warplens::trace
