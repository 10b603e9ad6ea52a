#include "app/views/lanes/lane_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/number.h"

namespace warplens::app {
namespace {

std::string times(std::uint64_t count) {
    if (count == 1) return "once";
    return count == 2 ? "twice" : counted(count, "time");
}

}  // namespace

std::string lane_title(const analysis::LaneTimeline& timeline, const std::string& where) {
    const auto splits = static_cast<std::uint64_t>(
        std::ranges::count(timeline.events, analysis::LaneEvent::Kind::split, &analysis::LaneEvent::kind));
    const std::string steps = counted(timeline.steps, "step"), active = decimal(timeline.mean_active_lanes());
    const std::string predicates =
        timeline.predicated.empty()
            ? ""
            : fmt::format(", {} with their predicate on", decimal(timeline.mean_executed_lanes()));
    if (splits == 0)
        return fmt::format("{}: no divergence; {} of 32 lanes active over {}{}", where, active, steps,
                           predicates);
    return fmt::format("{} diverges {} over {}; on average {} of 32 lanes are active{}", where, times(splits),
                       steps, active, predicates);
}

LaneMask predicated_off(const analysis::LaneTimeline& timeline, std::uint64_t step) {
    const auto after =
        std::ranges::upper_bound(timeline.predicated, step, {}, &analysis::PredicatedSteps::first_step);
    if (after == timeline.predicated.begin()) return {};
    const analysis::PredicatedSteps& last = *std::prev(after);
    return step < last.first_step + last.steps ? last.off : LaneMask{};
}

std::string lane_state_words(const analysis::LaneTimeline& timeline, const analysis::LaneStretch& stretch,
                             std::uint64_t step, int lane) {
    const char* state = !stretch.active.has(lane)                  ? "off"
                        : predicated_off(timeline, step).has(lane) ? "on with its predicate off"
                                                                   : "on";
    return fmt::format("Lane {} is {} here, {}", lane, state,
                       stretch.min_line == 0 ? std::string("source line unknown")
                                             : fmt::format("line {}", stretch.min_line));
}

}  // namespace warplens::app
