#include "app/scene/launch_change.h"

#include <fmt/core.h>

#include "analysis/time/time_resolution.h"
#include "analysis/wording.h"
#include "app/scene/level_of_time.h"

namespace warplens::app {
namespace {

/// Cycles of all warps of the modelled SM in the whole launch.
using WarpCycles = ByWarpState<double>;

std::optional<WarpCycles> cycles_of_warps(const Scene& scene, Level level) {
    const SceneTiming* timing = timing_at(scene, level).timing;
    if (!timing || !timing->schedule || timing->schedule->launch.blocks_modelled == 0) return std::nullopt;
    const trace::Schedule& schedule = *timing->schedule;
    const double blocks = double(schedule.launch.blocks_on_sm) / double(schedule.launch.blocks_modelled);
    WarpCycles cycles;
    for (const WarpStateInfo& state : warp_states)
        cycles[state.state] = double(schedule.totals.states[state.state]) * blocks;
    return cycles;
}

double sum_of(const WarpCycles& cycles) {
    double sum = 0;
    for (const WarpStateInfo& state : warp_states) sum += cycles[state.state];
    return sum;
}

/// What the warps do in the state: "waiting for data from L1, L2 or DRAM".
std::string doing(WarpState state) {
    std::string words(info(state).sentence);
    constexpr std::string_view waits = "waits ";
    if (state == WarpState::selected) return "issuing instructions";
    if (state == WarpState::not_selected) return "ready while another warp issued";
    if (words.starts_with(waits)) return "waiting " + words.substr(waits.size());
    return fmt::format("in the state \"{}\"", info(state).title);
}

}  // namespace

std::string launch_change(const Scene& before, const Scene& after, Level level) {
    if (before.gpu != after.gpu) return {};
    const auto was = cycles_of_warps(before, level), is = cycles_of_warps(after, level);
    if (!was || !is) return {};
    const double difference = sum_of(*is) - sum_of(*was);
    if (analysis::same_time(sum_of(*is), sum_of(*was))) return {};
    const auto launch = [&](const Scene& scene) {
        return timing_at(scene, level).timing->schedule->launch.cycles;
    };
    if ((launch(after) < launch(before)) != (difference < 0)) return {};
    const WarpStateInfo* most = &warp_states.front();
    const auto change = [&](WarpState state) {
        return ((*is)[state] - (*was)[state]) * (difference < 0 ? -1 : 1);
    };
    for (const WarpStateInfo& state : warp_states)
        if (change(state.state) > change(most->state)) most = &state;
    const auto words = [](double of) {
        std::string text = analysis::with_prefix(of, "", "");
        if (text.ends_with(' ')) text.pop_back();
        return text;
    };
    const auto arrow = [&](double from, double to) { return fmt::format("{} → {}", words(from), words(to)); };
    return fmt::format("The warps of an SM {} most while {}: {} of their {} cycles.",
                       difference < 0 ? "saved" : "lost", doing(most->state),
                       arrow((*was)[most->state], (*is)[most->state]), arrow(sum_of(*was), sum_of(*is)));
}

}  // namespace warplens::app
