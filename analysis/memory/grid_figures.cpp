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
        MapFilter of_warp;
        of_warp.first_warp = i;
        of_warp.last_warp = i + 1;
        const IdleThreads threads = idle_threads(trace, of_warp);
        warps.push_back({trace.warps[i].block, trace.warps[i].warp, i, threads.idle == threads.threads});
        all_idle = all_idle && warps.back().idle;
    }
    if (all_idle)
        for (GridWarp& warp : warps) warp.idle = false;
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

}  // namespace warplens::analysis
