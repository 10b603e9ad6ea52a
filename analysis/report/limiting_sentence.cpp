// The sentence states a finding, and no remedy: what helps is tried (app/scene/advice.h,
// app/scene/what_if.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "analysis/time/stalls.h"
#include "analysis/wording.h"

namespace warplens::analysis {
namespace {

// Thresholds between sentences. A share is of the launch's cycles (overhead, DRAM, atomics) or of the issue
// slots.
constexpr double overhead_dominates = 0.5;
constexpr double bandwidth_is_full = 0.75;
constexpr double contention_is_full = 0.6;
constexpr double issue_is_full = 0.7;
// Of the warps' time that goes to global memory: waits for writes alone; that goes to fetches: for constants
// alone. Of all their time: a part that is named.
constexpr double almost_all = 0.9;
constexpr double worth_naming = 0.1;
constexpr double warps_are_many = 0.5;  // share of resident warps in the SM's warp slots

/// The figures of the sentences.
struct Facts {
    Facts(const trace::Schedule& from, const GpuSpec& gpu)
        : schedule(from),
          summary(summarise(from.totals)),
          resident(summary.cycles ? double(summary.warp_cycles) / double(summary.cycles) : 0),
          room(gpu.max_warps_per_sm) {}

    const trace::Schedule& schedule;
    StallSummary summary;
    double resident;  // mean warps on the SM
    int room;         // warps the SM can hold

    bool many_warps() const { return resident >= warps_are_many * room; }
    /// "8 of 64 warps are resident"
    std::string residency() const {
        const std::string warps =
            resident < 9.95 ? rounded(std::round(resident * 10) / 10) : fmt::format("{:.0f}", resident);
        return fmt::format("{} of {} warps are resident", warps, room);
    }
    /// " and 8 of 64 warps are resident, all that the grid gives the SM"
    std::string few_warps() const {
        const trace::LaunchTime& launch = schedule.launch;
        const bool all_at_once = schedule.resident_blocks > 0 && launch.blocks_on_sm > 0 &&
                                 launch.blocks_on_sm <= std::uint64_t(schedule.resident_blocks);
        return fmt::format(" and {}{}", residency(), all_at_once ? ", all that the grid gives the SM" : "");
    }
    std::string warps() const { return many_warps() ? fmt::format(" though {}", residency()) : few_warps(); }
};

std::optional<std::string> by_launch_overhead(const Facts& facts) {
    const trace::LaunchTime& launch = facts.schedule.launch;
    if (launch.cycles <= 0 || launch.overhead_cycles < overhead_dominates * launch.cycles) return {};
    return fmt::format(
        "Starting and ending the launch takes {} of its {} cycles: the kernel's own work is too short to "
        "matter.",
        percent(launch.overhead_cycles / launch.cycles), grouped(std::uint64_t(std::llround(launch.cycles))));
}

/// Share of the launch's cycles without overhead that its bytes would take at full DRAM bandwidth.
double dram_share(const trace::LaunchTime& launch) {
    const double cycles = launch.cycles - launch.overhead_cycles;
    return cycles > 0 ? std::min(1.0, launch.memory_cycles / cycles) : 0;
}

/// With too few blocks to fill the SM, times and waits differ from those of the full launch.
std::optional<std::string> by_small_sample(const Facts& facts) {
    const trace::Schedule& schedule = facts.schedule;
    const auto modelled = schedule.launch.blocks_modelled;
    const auto at_once = static_cast<std::uint64_t>(std::max(schedule.blocks_at_once, 0));
    if (modelled == 0 || modelled >= at_once) return {};
    return fmt::format(
        "The sample has {}, but {} fit on an SM, so it does not show what limits the launch. Sample at least "
        "{}.",
        counted(modelled, "block"), grouped(at_once), counted(at_once, "block"));
}

std::optional<std::string> by_contention(const Facts& facts) {
    const trace::LaunchTime& launch = facts.schedule.launch;
    const double cycles = launch.cycles - launch.overhead_cycles;
    const double share = cycles > 0 ? std::min(1.0, launch.atomic_cycles / cycles) : 0;
    if (share < contention_is_full) return {};
    return fmt::format(
        "Atomics on the same addresses, or in the same slice of L2, are serialized and take {} of the "
        "launch's "
        "time: "
        "contention limits it.",
        percent(share));
}

std::optional<std::string> by_bandwidth(const Facts& facts) {
    const trace::LaunchTime& launch = facts.schedule.launch;
    const double share = dram_share(launch);
    if (share < bandwidth_is_full) return {};
    return fmt::format(
        "Moving {} to and from DRAM takes {} of the launch's time at full bandwidth: DRAM bandwidth limits "
        "it.",
        with_prefix(launch.dram_bytes, "B", "bytes"), percent(share));
}

std::optional<std::string> by_issue(const Facts& facts) {
    if (facts.summary.issue_active() < issue_is_full) return {};
    return fmt::format(
        "The schedulers issue in {} of their cycles, with {} warps eligible on average: issue slots limit "
        "the kernel.",
        percent(facts.summary.issue_active()), rounded(facts.summary.eligible_warps()));
}

std::string by_global_memory(const Facts& facts, double share) {
    const StallSummary& summary = facts.summary;
    const double queue = summary.share(WarpState::lg_throttle);
    const double writes = summary.share(WarpState::drain) + summary.share(WarpState::membar);
    if (queue > summary.share(WarpState::long_scoreboard) && queue > writes) {
        return fmt::format(
            "The queue to global memory is busy for {} of the warps' time: requests come faster than the L1 "
            "takes them.",
            percent(queue));
    }
    if (writes > almost_all * share)
        return fmt::format("Waits for writes to leave take {} of the warps' time.", percent(writes));
    const double dram = facts.many_warps() ? dram_share(facts.schedule.launch) : 0;
    return fmt::format("Waits for global memory take {} of the warps' time{}{}{}.", percent(share),
                       writes > worth_naming ? fmt::format(", those for writes to leave {},", percent(writes))
                                             : std::string(),
                       facts.warps(),
                       dram >= 0.01 ? fmt::format(" and DRAM bandwidth is used to {}", percent(dram)) : "");
}

std::string by_shared_memory(const Facts& facts, double share) {
    const StallSummary& summary = facts.summary;
    if (summary.states[WarpState::mio_throttle] > summary.states[WarpState::short_scoreboard]) {
        return fmt::format(
            "The queue to shared memory and special functions is busy for {} of the warps' time.",
            percent(summary.share(WarpState::mio_throttle)));
    }
    return fmt::format(
        "Waits for results of shared memory, shuffles and special functions take {} of the warps' time{}.",
        percent(share), facts.warps());
}

std::string by_barrier(const Facts& facts, double share) {
    const int blocks = facts.schedule.resident_blocks;
    if (blocks <= 1)
        return fmt::format(
            "Waits at barriers take {} of the warps' time and no second block is resident to hide them.",
            percent(share));
    return fmt::format(
        "Waits at barriers take {} of the warps' time with {} resident: the warps of a block arrive far "
        "apart.",
        percent(share), counted(std::uint64_t(blocks), "block"));
}

std::string by_fixed_latency(const Facts& facts, double share) {
    return fmt::format("Waits for the warp's own last instruction take {} of the warps' time{}.",
                       percent(share), facts.warps());
}

std::string by_arithmetic_pipe(const Facts&, double share) {
    return fmt::format("The arithmetic pipes are taken for {} of the warps' time: they limit the kernel.",
                       percent(share));
}

std::string by_fetch(const Facts& facts, double share) {
    const double constants = facts.summary.share(WarpState::imc_miss);
    if (constants > almost_all * share)
        return fmt::format("Waits for constants to be fetched take {} of the warps' time.", percent(share));
    if (constants < (1 - almost_all) * share)
        return fmt::format("Waits for instructions to be fetched take {} of the warps' time.",
                           percent(share));
    return fmt::format(
        "Waits for instructions and constants to be fetched take {} of the warps' time, those for constants "
        "{}.",
        percent(share), percent(constants));
}

std::string by_sleep(const Facts&, double share) {
    return fmt::format("Warps sleep for {} of their time, because the program says so.", percent(share));
}

std::string by_selection(const Facts& facts, double share) {
    return fmt::format(
        "Warps are ready to issue for {} of their time and the schedulers issue in {} of their cycles: issue "
        "slots limit the kernel.",
        percent(share), percent(facts.summary.issue_active()));
}

/// States that one sentence covers.
struct Group {
    std::array<bool, warp_state_count> covers;
    std::string_view wait;  // to follow "a warp"
    std::string (*sentence)(const Facts& facts, double share);
};

template <class... States>
constexpr std::array<bool, warp_state_count> these(States... states) {
    std::array<bool, warp_state_count> covers{};
    ((covers[static_cast<std::size_t>(states)] = true), ...);
    return covers;
}

constexpr std::array groups{
    // A write that the port to L2 has yet to take holds up the loads behind it.
    Group{these(WarpState::long_scoreboard, WarpState::lg_throttle, WarpState::drain, WarpState::membar),
          "waits for global memory, its queue or its own writes", by_global_memory},
    Group{these(WarpState::short_scoreboard, WarpState::mio_throttle),
          "waits for shared memory, shuffles or special functions", by_shared_memory},
    Group{these(WarpState::barrier), info(WarpState::barrier).sentence, by_barrier},
    Group{these(WarpState::wait, WarpState::branch_resolving), "waits for its own last instruction",
          by_fixed_latency},
    Group{these(WarpState::math_pipe_throttle), "waits for a busy arithmetic pipe", by_arithmetic_pipe},
    Group{these(WarpState::no_instruction, WarpState::imc_miss),
          "waits for an instruction or a constant to be fetched", by_fetch},
    Group{these(WarpState::sleeping), info(WarpState::sleeping).sentence, by_sleep},
    Group{these(WarpState::not_selected, WarpState::selected), "is ready to issue", by_selection},
};

double share_of(const StallSummary& summary, const Group& group) {
    double share = 0;
    for (std::size_t state = 0; state < warp_state_count; ++state)
        if (group.covers[state]) share += summary.share(static_cast<WarpState>(state));
    return share;
}

const Group& dominant_group(const StallSummary& summary) {
    return *std::ranges::max_element(groups, {},
                                     [&](const Group& group) { return share_of(summary, group); });
}

}  // namespace

DominantWait dominant_wait(const StallSummary& summary) {
    const Group& most = dominant_group(summary);
    return {share_of(summary, most), most.wait};
}

std::string limiting_sentence(const trace::Schedule& schedule, const GpuSpec& gpu) {
    const Facts facts(schedule, gpu);
    if (facts.summary.warp_cycles == 0) return "No warp ran.";
    if (auto sentence = by_small_sample(facts)) return *sentence;
    if (auto sentence = by_launch_overhead(facts)) return *sentence;
    if (auto sentence = by_contention(facts)) return *sentence;
    if (auto sentence = by_bandwidth(facts)) return *sentence;
    if (auto sentence = by_issue(facts)) return *sentence;
    const Group& most = dominant_group(facts.summary);
    return most.sentence(facts, share_of(facts.summary, most));
}

}  // namespace warplens::analysis
