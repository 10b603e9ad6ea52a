#include "analysis/memory/grid_figures.h"

#include <algorithm>
#include <array>

#include "analysis/memory/access_map.h"
#include "analysis/memory/banks.h"
#include "analysis/memory/stored_request.h"
#include "analysis/warps/warp_divergence.h"
#include "trace/query.h"

namespace warplens::analysis {
namespace {

constexpr std::array<std::string_view, grid_figure_count> grid_figure_names{"steps", "lanes", "conflicts",
                                                                            "cycles", "sm"};

/// One per Trace::warps, without a number.
std::vector<GridWarp> recorded_warps(const trace::Trace& trace) {
    std::vector<GridWarp> warps;
    warps.reserve(trace.warps.size());
    bool all_idle = true;
    for (std::uint32_t i = 0; i < trace.warps.size(); ++i) {
        const trace::WarpRecord& warp = trace.warps[i];
        const LaneMask idle = idle_lanes(trace, warp);
        const bool whole = idle == trace.launch.geometry.warp_lanes(static_cast<int>(warp.warp));
        warps.push_back({warp.block, warp.warp, i, whole, std::nullopt, idle});
        all_idle = all_idle && whole;
    }
    if (all_idle)
        for (GridWarp& warp : warps) {
            warp.idle = false;
            warp.idle_lanes = {};
        }
    return warps;
}

double excess_wavefronts(const trace::Trace& trace, const trace::WarpRecord& warp) {
    std::uint64_t excess = 0;
    for (std::uint64_t i = warp.accesses_begin; i < warp.accesses_end; ++i) {
        if (trace.accesses[i].space != Space::shared) continue;
        const StoredRequest request(trace, i);
        const WavefrontCount count = count_wavefronts(request.access());
        excess += count.wavefronts - count.ideal_wavefronts;
    }
    return double(excess);
}

/// Both are ascending by block, then warp.
void take_measured(const trace::Measured& measured, GridFigure figure, std::vector<GridWarp>& warps) {
    std::vector<GridWarp> all;
    all.reserve(std::max(warps.size(), measured.warps.size()));
    std::size_t next = 0;
    const auto place = [](const auto& warp) { return std::pair(warp.block, warp.warp); };
    for (const trace::MeasuredWarp& timed : measured.warps) {
        while (next < warps.size() && place(warps[next]) < place(timed)) all.push_back(warps[next++]);
        const bool recorded = next < warps.size() && place(warps[next]) == place(timed);
        all.push_back(recorded ? warps[next++] : GridWarp{timed.block, timed.warp});
        all.back().value =
            figure == GridFigure::sm ? double(timed.sm) : double(timed.end) - double(timed.begin);
    }
    all.insert(all.end(), warps.begin() + static_cast<std::ptrdiff_t>(next), warps.end());
    warps = std::move(all);
}

void take_modelled(const trace::Schedule& schedule, std::vector<GridWarp>& warps) {
    for (const trace::ScheduledWarp& one : schedule.warps)
        if (one.warp_record < warps.size())
            warps[one.warp_record].value = double(one.departure) - double(one.arrival);
}

}  // namespace

std::string_view to_string(GridFigure figure) { return grid_figure_names[static_cast<std::size_t>(figure)]; }

bool has_measured_warps(const trace::Trace& trace) {
    return trace.measured && !trace.measured->warps.empty();
}

std::vector<GridWarp> grid_figures(const trace::Trace& trace, const trace::Schedule* schedule,
                                   GridFigure figure) {
    std::vector<GridWarp> warps = recorded_warps(trace);
    switch (figure) {
        case GridFigure::steps:
            for (GridWarp& warp : warps)
                warp.value = double(trace::step_count(trace, trace.warps[warp.record]));
            break;
        case GridFigure::lanes:
            for (const WarpDivergence& one : warps_by_divergence(trace))
                if (GridWarp& warp = warps[one.warp_record]; !warp.idle && one.steps > 0)
                    warp.value = one.mean_active_lanes();
            break;
        case GridFigure::conflicts:
            if (trace.measured && trace.accesses.empty()) break;  // a light recording has no addresses
            for (GridWarp& warp : warps) warp.value = excess_wavefronts(trace, trace.warps[warp.record]);
            break;
        case GridFigure::cycles:
        case GridFigure::sm:
            if (has_measured_warps(trace)) take_measured(*trace.measured, figure, warps);
            else if (figure == GridFigure::cycles && schedule) take_modelled(*schedule, warps);
            break;
    }
    return warps;
}

std::vector<ThreadSteps> thread_steps(const trace::Trace& trace) {
    std::vector<ThreadSteps> steps(trace.warps.size());
    for (std::size_t i = 0; i < trace.warps.size(); ++i)
        for (std::uint64_t at = trace.warps[i].visits_begin; at < trace.warps[i].visits_end; ++at) {
            const trace::Visit& visit = trace.visits[at];
            const std::uint64_t sites = trace.program.basic_blocks[visit.basic_block].site_count;
            for_each_lane(visit.active, [&](int lane) { steps[i][static_cast<std::size_t>(lane)] += sites; });
        }
    return steps;
}

}  // namespace warplens::analysis
