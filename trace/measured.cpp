#include "trace/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

namespace warplens::trace {

namespace {

/// For microseconds and nanoseconds: longer than any measurement, and small enough for exact sums.
constexpr double most_time = 1e15;
constexpr double slowest_clock_hz = 1e6, fastest_clock_hz = 1e12;

bool is_amount(double value) { return value >= 0 && value <= most_time; }

std::string check_perturbation(const Perturbation& perturbation) {
    constexpr std::array<std::string_view, 3> modes{"light", "full", "proof"};
    if (std::find(modes.begin(), modes.end(), perturbation.mode) == modes.end())
        return fmt::format("a perturbation is of mode \"{}\"; \"light\", \"full\" and \"proof\" are",
                           perturbation.mode);
    if (!is_amount(perturbation.clean_us) || !is_amount(perturbation.traced_us))
        return fmt::format("the {} recording took {} µs, and {} µs without; both should be 0 or more",
                           perturbation.mode, perturbation.traced_us, perturbation.clean_us);
    const int counts[] = {perturbation.repeats, perturbation.clean_registers, perturbation.traced_registers,
                          perturbation.clean_blocks_per_sm, perturbation.traced_blocks_per_sm};
    for (const int count : counts)
        if (count < 0)
            return fmt::format("the {} recording has the invalid count {}", perturbation.mode, count);
    return {};
}

std::string check_launch(const Measured& measured) {
    if (measured.clock_hz != 0 &&
        !(measured.clock_hz >= slowest_clock_hz && measured.clock_hz <= fastest_clock_hz))
        return fmt::format("its clock runs at {} Hz; {} to {} are possible, and 0 means not known",
                           measured.clock_hz, slowest_clock_hz, fastest_clock_hz);
    if (!is_amount(measured.timer_bound_ns))
        return fmt::format("its timer is off by {} ns; 0 or more is possible", measured.timer_bound_ns);
    if (measured.compute_major < 0 || measured.compute_minor < 0 || measured.sm_count < 0)
        return fmt::format("its device has compute capability {}.{} and {} SMs", measured.compute_major,
                           measured.compute_minor, measured.sm_count);
    if (!measured.addresses.empty() && measured.addresses != "recorded" && measured.addresses != "proven")
        return fmt::format("its addresses are \"{}\"; \"recorded\" and \"proven\" are possible, or none",
                           measured.addresses);
    for (const Perturbation& perturbation : measured.perturbations)
        if (std::string wrong = check_perturbation(perturbation); !wrong.empty()) return wrong;
    for (std::size_t i = 0; i < measured.sms.size(); ++i) {
        if (i > 0 && measured.sms[i].sm <= measured.sms[i - 1].sm)
            return fmt::format("SM {} comes after SM {}; they should ascend", measured.sms[i].sm,
                               measured.sms[i - 1].sm);
        if (!is_amount(std::abs(measured.sms[i].offset_ns)))
            return fmt::format("SM {} begins at {} ns", measured.sms[i].sm, measured.sms[i].offset_ns);
    }
    return {};
}

std::string name_of(const MeasuredWarp& warp) {
    return fmt::format("measured warp {} of block {}", warp.warp, warp.block);
}

std::string check_visits(const Measured& measured, const MeasuredWarp& warp) {
    std::uint32_t before = warp.begin;
    for (std::uint64_t i = warp.visits_begin; i < warp.visits_end; ++i) {
        const MeasuredVisit& visit = measured.visits[i];
        if (visit.active == 0)
            return fmt::format("{} visits basic block {} without active lanes", name_of(warp),
                               visit.basic_block);
        if (visit.entered == no_time) {
            if (visit.arrived == no_time) continue;
            return fmt::format("{} arrived at a barrier in cycle {} and has no time of leaving it",
                               name_of(warp), visit.arrived);
        }
        if (visit.entered < before || visit.entered > warp.end)
            return fmt::format("{} enters basic block {} in cycle {}, outside {} to {}", name_of(warp),
                               visit.basic_block, visit.entered, before, warp.end);
        // Diverged lanes arrive while others run, so only their own wait limits it.
        if (visit.arrived != no_time && (visit.arrived < warp.begin || visit.arrived > visit.entered))
            return fmt::format("{} arrived at a barrier in cycle {}, outside {} to {}", name_of(warp),
                               visit.arrived, warp.begin, visit.entered);
        before = visit.entered;
    }
    return {};
}

}  // namespace

TimingOptions under_measured_condition(const Measured& measured, TimingOptions options) {
    options.data_in_l2 = measured.caches == Caches::warm;
    return options;
}

std::string condition_words(const Measured& measured) {
    return fmt::format("caches {}, as in the recording", to_string(measured.caches));
}

std::string check(const Measured& measured) {
    if (std::string wrong = check_launch(measured); !wrong.empty()) return wrong;
    std::uint64_t visits = 0;
    const MeasuredWarp* previous = nullptr;
    for (const MeasuredWarp& warp : measured.warps) {
        if (previous && std::tie(warp.block, warp.warp) <= std::tie(previous->block, previous->warp))
            return fmt::format("{} comes after {}; they should ascend", name_of(warp), name_of(*previous));
        previous = &warp;
        if (!std::binary_search(measured.sms.begin(), measured.sms.end(), MeasuredSm{warp.sm, 0},
                                [](const MeasuredSm& a, const MeasuredSm& b) { return a.sm < b.sm; }))
            return fmt::format("{} ran on SM {}, which the file does not describe", name_of(warp), warp.sm);
        if (warp.begin > warp.end || warp.end == no_time)
            return fmt::format("{} begins in cycle {} and ends in cycle {}", name_of(warp), warp.begin,
                               warp.end);
        if (warp.visits_begin != visits || warp.visits_end < visits ||
            warp.visits_end > measured.visits.size())
            return fmt::format("the visits of {} are {} to {}, but should begin at {} and end within {}",
                               name_of(warp), warp.visits_begin, warp.visits_end, visits,
                               measured.visits.size());
        visits = warp.visits_end;
        if (std::string wrong = check_visits(measured, warp); !wrong.empty()) return wrong;
    }
    if (visits != measured.visits.size())
        return fmt::format("{} visits were measured, but the warps own {}", measured.visits.size(), visits);
    return {};
}

}  // namespace warplens::trace
