#include "app/scene/requested_selection.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analysis/report/inlined_lines.h"
#include "app/scene/default_selection.h"
#include "app/scene/own_source.h"
#include "app/scene/step_spot.h"
#include "app/scene/view_list.h"
#include "core/number_text.h"
#include "trace/query.h"

namespace warplens::app {
namespace {

constexpr const char* form =
    "a selection is written as line=54,warp=3; its parts are line, site, block, warp, "
    "lane, step and cycle";

template <class Number>
Status take(std::string_view part, std::string_view digits, std::optional<Number>& into) {
    const auto value = number_from<Number>(digits);
    if (!value) return fail("{}: '{}' is not an integer; {}", part, digits, form);
    if (into) return fail("{}: that part is given twice", part);
    into = *value;
    return {};
}

/// "46, 48 and 54", at most a dozen.
std::string listed(const std::set<std::uint64_t>& numbers) {
    constexpr std::size_t most = 12;
    std::string words;
    std::size_t count = 0;
    for (const std::uint64_t number : numbers) {
        if (count == most) return words + " and others";
        if (count > 0) words += count + 1 == numbers.size() ? " and " : ", ";
        words += std::to_string(number);
        ++count;
    }
    return words;
}

Result<std::vector<bool>> wanted_sites(const trace::Trace& trace, const SpotRequest& request) {
    const auto& sites = trace.program.sites;
    if (request.site && *request.site >= sites.size())
        return fail("site={}: the kernel's sites are 0 to {}", *request.site, sites.size() - 1);
    std::vector<bool> wanted(sites.size());
    std::set<std::uint64_t> lines;
    const std::vector<analysis::InlinedPlace> inlined =
        request.line ? analysis::inlined_places(trace.program) : std::vector<analysis::InlinedPlace>();
    const std::uint32_t own = own_source(trace.program);
    for (SiteId i = 0; i < sites.size(); ++i) {
        wanted[i] = (!request.site || *request.site == i) &&
                    (!request.line || *request.line == sites[i].line ||
                     inlined[i] == analysis::InlinedPlace{own, *request.line});
        if (sites[i].kind == SiteKind::memory && sites[i].space != Space::param && sites[i].line != 0)
            lines.insert(sites[i].line);
    }
    if (std::ranges::find(wanted, true) != wanted.end()) return wanted;
    if (request.site)
        return fail("site={}: that instruction comes from line {}", *request.site, sites[*request.site].line);
    return fail("line={}: no instruction comes from that line{}", *request.line,
                lines.empty() ? "" : "; memory is accessed on lines " + listed(lines));
}

/// The requested warp; no_index if any warp is suitable.
Result<std::uint32_t> wanted_warp(const trace::Trace& trace, const SpotRequest& request) {
    if (!request.block && !request.warp) return no_index;
    const std::vector<std::uint64_t> blocks = trace::recorded_blocks(trace);
    if (blocks.empty()) return fail("no block was recorded, so there is no warp to select");
    const std::uint64_t block = request.block.value_or(blocks.front());
    if (!std::ranges::binary_search(blocks, block))
        return fail("block={}: that block was not executed for the picture; {} were", block,
                    listed({blocks.begin(), blocks.end()}));
    const auto warps = static_cast<std::uint32_t>(trace.launch.geometry.warps_per_block());
    const trace::WarpRecord* record = trace::find_warp(trace, block, request.warp.value_or(0));
    if (!record) return fail("warp={}: a block has warps 0 to {}", *request.warp, warps - 1);
    return static_cast<std::uint32_t>(record - trace.warps.data());
}

Spot spot_without_access(const trace::Trace& trace, const std::vector<bool>& sites, std::uint32_t warp,
                         const SpotRequest& request) {
    Spot spot;
    spot.warp_record = warp == no_index ? 0 : warp;
    if (!request.line && !request.site) return spot;
    spot.site = static_cast<SiteId>(std::ranges::find(sites, true) - sites.begin());
    // Of a line's instructions the branch shows most of its lanes.
    for (SiteId i = 0; i < sites.size(); ++i)
        if (sites[i] && trace.program.sites[i].kind == SiteKind::branch) spot.site = i;
    spot.source_line = trace.program.sites[spot.site].line;
    return spot;
}

/// The play head, and what the warp is about to issue there if no instruction was requested.
Status set_cycle(const Scene& scene, const SpotRequest& request, Spot& spot) {
    const trace::Schedule* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
    if (!schedule) return fail("cycle={}: there is no schedule of this run", *request.cycle);
    if (*request.cycle >= schedule->totals.cycles)
        return fail("cycle={}: the schedule has {} cycles", *request.cycle, schedule->totals.cycles);
    spot.cycle = *request.cycle;
    if (request.line || request.site || (!request.block && !request.warp)) return {};
    for (const trace::ScheduledWarp& warp : schedule->warps) {
        if (warp.warp_record != spot.warp_record) continue;
        const trace::StateSpan* span = span_at(*schedule, warp, *request.cycle);
        if (!span)
            return fail("cycle={}: that warp is on the SM from cycle {} to {}", *request.cycle, warp.arrival,
                        warp.departure);
        spot.access = no_access;
        spot.site = span->site();
        spot.step = span->step;
        spot.source_line = scene.trace->program.sites[spot.site].line;
    }
    return {};
}

}  // namespace

Result<SpotRequest> parse_spot_request(std::string_view text) {
    SpotRequest request;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        const auto equals = part.find('=');
        const std::string_view name = part.substr(0, equals);
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view{} : part.substr(equals + 1);
        Status taken;
        if (name == "line") taken = take(part, value, request.line);
        else if (name == "site") taken = take(part, value, request.site);
        else if (name == "block") taken = take(part, value, request.block);
        else if (name == "warp") taken = take(part, value, request.warp);
        else if (name == "lane") taken = take(part, value, request.lane);
        else if (name == "step") taken = take(part, value, request.step);
        else if (name == "cycle") taken = take(part, value, request.cycle);
        else return fail("{} is not understood; {}", part, form);
        if (!taken) return tl::unexpected(taken.error());
    }
    return request;
}

Result<Spot> requested_selection(const Scene& scene, std::string_view view, const SpotRequest& request) {
    if (request == SpotRequest{}) return default_selection(scene, view);
    if (!scene.trace || scene.trace->warps.empty())
        return fail("nothing was recorded that could be selected");
    const trace::Trace& trace = *scene.trace;
    WARPLENS_TRY(const auto sites, wanted_sites(trace, request));
    WARPLENS_TRY(const auto warp, wanted_warp(trace, request));

    Spot spot;
    if (!request.line && !request.site && warp == no_index) {
        spot = default_selection(scene, view);
    } else {
        const auto of_warp = [&](std::uint64_t access) {
            return warp == no_index ||
                   (access >= trace.warps[warp].accesses_begin && access < trace.warps[warp].accesses_end);
        };
        const std::optional<MemoryKind> kind = memory_kind(subject_of(view));
        for (const bool any_kind : {false, true}) {
            spot = worst_access(trace, [&](std::uint64_t access) {
                const trace::AccessRecord& record = trace.accesses[access];
                return sites[record.site] && (any_kind || !kind || is_of_kind(trace, record, *kind)) &&
                       of_warp(access);
            });
            if (spot.access != no_access) break;
        }
        if (spot.access == no_access) spot = spot_without_access(trace, sites, warp, request);
    }
    if (request.step) {
        if (request.line || request.site || request.cycle)
            return fail("step={}: a step has its own line, site and cycle", *request.step);
        WARPLENS_TRY(spot, spot_of_step(trace, warp == no_index ? 0 : warp, *request.step));
    }
    if (request.lane) {
        if (*request.lane >= static_cast<std::uint32_t>(warp_size))
            return fail("lane={}: a warp has lanes 0 to {}", *request.lane, warp_size - 1);
        spot.lane = static_cast<int>(*request.lane);
    }
    if (request.cycle) WARPLENS_TRY(set_cycle(scene, request, spot));
    return spot;
}

}  // namespace warplens::app
