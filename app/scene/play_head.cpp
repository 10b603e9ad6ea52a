#include "app/scene/play_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/scene/step_spot.h"
#include "app/ui/number.h"
#include "trace/query.h"
#include "trace/schedule.h"

namespace warplens::app {
namespace {

constexpr double usual_seconds = 20;
/// After a pause, of the system or in a debugger, it goes on and does not jump.
constexpr double longest_frame = 0.1;
constexpr int most_faster = 12;

/// 1, 2, 5, 10, 20, …
double rung(int index) {
    constexpr double factors[] = {1, 2, 5};
    return factors[index % 3] * std::pow(10.0, index / 3);
}

const trace::Schedule* schedule_of(const Scene& scene) {
    const trace::Schedule* schedule = scene.timing ? scene.timing->schedule.get() : nullptr;
    return schedule && !schedule->spans.empty() && schedule->totals.cycles > 0 ? schedule : nullptr;
}

const trace::ScheduledWarp* find_scheduled(const trace::Schedule& schedule, std::uint32_t record) {
    const auto found = std::ranges::find(schedule.warps, record, &trace::ScheduledWarp::warp_record);
    return found == schedule.warps.end() ? nullptr : &*found;
}

}  // namespace

std::optional<PlayHead::Track> PlayHead::track_of(const Scene* scene, const Spot& chosen) {
    if (!scene || !scene->trace || scene->trace->warps.empty()) return std::nullopt;
    const trace::Trace& trace = *scene->trace;
    const bool has_warp = chosen.warp_record < trace.warps.size();
    if (const trace::Schedule* schedule = schedule_of(*scene)) {
        const std::uint32_t warp = has_warp                   ? chosen.warp_record
                                   : !schedule->warps.empty() ? schedule->warps.front().warp_record
                                                              : no_index;
        if (warp < trace.warps.size() && find_scheduled(*schedule, warp))
            return Track{true, warp, static_cast<double>(schedule->totals.cycles)};
    }
    const std::uint32_t warp = has_warp ? chosen.warp_record : 0;
    const std::uint64_t steps = steps_of_warp(trace, warp);
    if (steps == 0) return std::nullopt;
    return Track{false, warp, static_cast<double>(steps)};
}

double PlayHead::position_of(const Scene& scene, const Track& track, const Spot& chosen) {
    if (!track.is_cycles) return static_cast<double>(step_of_spot(*scene.trace, chosen).value_or(0));
    if (chosen.cycle != no_index) return chosen.cycle;
    const trace::Schedule& schedule = *schedule_of(scene);
    const trace::ScheduledWarp& warp = *find_scheduled(schedule, track.warp_record);
    if (chosen.step == no_index && chosen.access == no_access) return 0;
    const std::uint64_t step = step_of_spot(*scene.trace, chosen).value_or(0);
    for (const trace::StateSpan& span : trace::spans_of(schedule, warp))
        if (span.step == step) return span.begin;
    return warp.arrival;
}

Spot PlayHead::spot_at(const Scene& scene, const Track& track, std::uint32_t position, const Spot& before) {
    std::uint64_t step = position;
    if (track.is_cycles) {
        const trace::Schedule& schedule = *schedule_of(scene);
        const trace::StateSpan* span =
            trace::span_at(schedule, *find_scheduled(schedule, track.warp_record), position);
        Spot waiting = before;
        waiting.cycle = position;
        if (!span) return waiting;  // not on the SM, or no longer
        step = span->step;
        const bool is_there = before.warp_record == track.warp_record && before.step == step;
        if (is_there) return waiting;
    }
    const auto found = spot_of_step(*scene.trace, track.warp_record, step);
    Spot spot = found ? *found : before;
    spot.lane = before.lane;
    spot.cycle = track.is_cycles ? position : no_index;
    return spot;
}

double PlayHead::per_second(const Track& track) const {
    int index = 0;
    while (rung(index) < track.length / usual_seconds) ++index;
    return rung(std::max(0, index + faster_));
}

void PlayHead::change_speed(int by) { faster_ = std::clamp(faster_ + by, -most_faster, most_faster); }

std::string PlayHead::speed_words(const Scene* scene, const Selection& selection) const {
    const auto track = track_of(scene, selection.chosen);
    if (!track) return {};
    return fmt::format("{} {}/s", grouped(static_cast<std::uint64_t>(std::llround(per_second(*track)))),
                       track->is_cycles ? "cycles" : "steps");
}

bool PlayHead::start(const Scene* scene, const Selection& selection) {
    const auto track = track_of(scene, selection.chosen);
    playing_ = track.has_value();
    if (!playing_) return false;
    at_ = position_of(*scene, *track, selection.chosen);
    if (at_ + 1 >= track->length) at_ = 0;
    set_ = selection.chosen;
    generation_ = scene->generation;
    timing_generation_ = scene->timing_generation;
    return true;
}

void PlayHead::advance(const Scene* scene, Selection& selection, double seconds) {
    if (!playing_) return;
    const auto track = track_of(scene, selection.chosen);
    if (!track || scene->generation != generation_ || scene->timing_generation != timing_generation_)
        return stop();
    if (!(selection.chosen == set_)) at_ = position_of(*scene, *track, selection.chosen);
    at_ += per_second(*track) * std::clamp(seconds, 0.0, longest_frame);
    if (at_ >= track->length - 1) {
        at_ = track->length - 1;
        stop();
    }
    selection.chosen = spot_at(*scene, *track, static_cast<std::uint32_t>(at_), selection.chosen);
    set_ = selection.chosen;
}

}  // namespace warplens::app
