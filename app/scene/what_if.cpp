#include "app/scene/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/time/time_resolution.h"
#include "app/ui/number.h"

namespace warplens::app {
namespace {

using analysis::AccessTotals;
using analysis::LaunchReport;
using analysis::Occupancy;

/// The numbers that decide which questions are asked.
struct LaunchFacts {
    std::uint64_t shared_requests = 0, shared_excess = 0;  // wavefronts
    std::uint64_t global_requests = 0;
    std::uint64_t atomic_requests = 0;  // of global and shared memory
    Occupancy fit;
    std::uint64_t blocks_for_an_sm = 0;  // of the whole launch, on the fullest SM
    bool grid_fits_at_once = false;      // an SM is never given more blocks than fit
};

LaunchFacts facts_of(const LaunchReport& report, const GpuSpec& gpu) {
    LaunchFacts facts;
    for (const AccessTotals* shared : {&report.shared_load, &report.shared_store, &report.shared_atomic}) {
        facts.shared_requests += shared->requests;
        facts.shared_excess += shared->wavefronts - std::min(shared->ideal_wavefronts, shared->wavefronts);
    }
    for (const AccessTotals* global : {&report.global_load, &report.global_store, &report.global_atomic,
                                       &report.local_load, &report.local_store}) {
        facts.global_requests += global->requests;
    }
    facts.atomic_requests = report.global_atomic.requests + report.shared_atomic.requests;
    facts.fit = report.occupancy;
    const auto sms = static_cast<std::uint64_t>(std::max(gpu.sm_count, 1));
    facts.blocks_for_an_sm = (report.launch.geometry.blocks() + sms - 1) / sms;
    facts.grid_fits_at_once =
        facts.blocks_for_an_sm <= static_cast<std::uint64_t>(std::max(facts.fit.blocks_per_sm, 0));
    return facts;
}

std::string grid_is_small(const LaunchFacts& facts) {
    return fmt::format("the grid gives an SM {}, and {} fit already",
                       counted(facts.blocks_for_an_sm, "block"), facts.fit.blocks_per_sm);
}

/// Why lifting one limit of occupancy changes nothing; empty when it lets more blocks in.
std::string moot_limit(const LaunchFacts& facts, analysis::Limiter lifted) {
    Occupancy rest = facts.fit;
    rest.blocks_allowed[static_cast<std::size_t>(lifted)] = std::numeric_limits<int>::max();
    const int without = std::ranges::min(rest.blocks_allowed);
    if (without <= facts.fit.blocks_per_sm) {
        const std::string limits = limiters_in_words(rest);
        return fmt::format("{} run{} out at {} already", limits,
                           limits == to_string(analysis::Limiter::shared_memory) ? "s" : "",
                           counted(static_cast<std::uint64_t>(without), "block"));
    }
    return facts.grid_fits_at_once ? grid_is_small(facts) : std::string();
}

}  // namespace

bool WhatIf::complete() const { return std::ranges::none_of(answers, &WhatIfAnswer::open); }

WhatIf standard_questions(const LaunchReport& report, const GpuSpec& gpu, double baseline_cycles) {
    const LaunchFacts facts = facts_of(report, gpu);
    const int warps = facts.fit.warps_per_sm, blocks = facts.fit.blocks_per_sm;
    WhatIf what_if{baseline_cycles, {}};
    const auto ask = [&](std::string name, std::string title, std::string deed, std::string meaning,
                         bool of_kernel, std::string moot, auto&& turn) {
        WhatIfAnswer answer;
        turn(answer.options);
        answer.name = std::move(name);
        answer.title = std::move(title);
        answer.deed = std::move(deed);
        answer.meaning = std::move(meaning);
        answer.of_kernel = of_kernel;
        answer.moot = std::move(moot);
        what_if.answers.push_back(std::move(answer));
    };

    ask("no_bank_conflicts", "No bank conflicts", "Removing bank conflicts",
        "every shared-memory request takes its ideal wavefronts", true,
        facts.shared_requests == 0 ? "the kernel makes no request to shared memory"
        : facts.shared_excess == 0 ? "no request takes more wavefronts than its ideal"
                                   : "",
        [](TimingOptions& to) { to.no_bank_conflicts = true; });
    ask("perfect_coalescing", "Perfect coalescing", "Coalescing every access",
        "every global request moves its ideal sectors", true,
        facts.global_requests == 0 ? "the kernel makes no request to global memory" : "",
        [](TimingOptions& to) { to.perfect_coalescing = true; });
    ask("full_warps", "Full warps", "Full warps",
        "lanes that take the same path share a warp: work of partly active warps is issued as often as full "
        "warps would",
        true,
        report.branches_divergent > 0    ? ""
        : report.level == Level::machine ? "no branch of the machine code diverges"
                                         : "no branch diverges",
        [](TimingOptions& to) { to.full_warps = true; });
    const std::string no_atomics = facts.atomic_requests == 0 ? "the kernel has no atomics" : "";
    ask("one_atomic_per_warp", "One atomic per warp", "Combining atomics per warp",
        "a warp issues one atomic per address, after its lanes have combined their values", true, no_atomics,
        [](TimingOptions& to) { to.combine_atomics = AtomicCombining::per_warp; });
    ask("one_atomic_per_block", "One atomic per block", "Combining atomics per block",
        "a block issues one atomic per address, after its warps have combined their values", true, no_atomics,
        [](TimingOptions& to) { to.combine_atomics = AtomicCombining::per_block; });

    const auto limit = [&](const char* name, const char* what, analysis::Limiter limiter,
                           bool TimingOptions::*flag) {
        ask(fmt::format("no_{}_limit", name), fmt::format("No {} limit", what),
            fmt::format("Lifting the {} limit", what),
            fmt::format("blocks become resident as if {} never ran out",
                        limiter == analysis::Limiter::blocks ? "an SM's block slots" : to_string(limiter)),
            true, moot_limit(facts, limiter), [flag](TimingOptions& to) { to.*flag = true; });
    };
    limit("register", "register", analysis::Limiter::registers, &TimingOptions::ignore_register_limit);
    limit("shared", "shared-memory", analysis::Limiter::shared_memory, &TimingOptions::ignore_shared_limit);
    limit("block", "block", analysis::Limiter::blocks, &TimingOptions::ignore_block_limit);

    ask("twice_the_warps", "Twice the warps", "Twice the resident warps",
        fmt::format("{} resident warps per SM instead of {}, whatever resources they take", 2 * warps, warps),
        true,
        facts.grid_fits_at_once ? grid_is_small(facts)
        : 2 * warps > gpu.max_warps_per_sm
            ? fmt::format("{} of the SM's {} warp slots are taken already", warps, gpu.max_warps_per_sm)
            : "",
        [&](TimingOptions& to) {
            to.max_resident_warps = 2 * warps;
            to.ignore_register_limit = to.ignore_shared_limit = to.ignore_block_limit = true;
        });
    ask("half_the_warps", "Half the warps", "Half the resident warps",
        fmt::format("{} resident warps per SM instead of {}: what the other half hides", warps / 2, warps),
        true,
        blocks < 2 ? "only one block fits on an SM, and a block cannot be divided"
        : facts.blocks_for_an_sm * 2 <= static_cast<std::uint64_t>(blocks) ? grid_is_small(facts)
                                                                           : "",
        [&](TimingOptions& to) { to.max_resident_warps = std::max(warps / 2, 1); });

    ask("half_dram_latency", "Half the DRAM latency", "Halving the DRAM latency",
        "the round trip from L2 to DRAM takes half as long", false,
        facts.global_requests == 0 ? "the kernel makes no request to global memory" : "",
        [](TimingOptions& to) { to.dram_latency_factor = 0.5; });
    ask("data_in_l2", "Data in L2 already", "Finding the data in L2",
        "an earlier launch has left the data in L2, as far as it fits, and the code cached", false,
        facts.global_requests == 0 ? "the kernel makes no request to global memory" : "",
        [](TimingOptions& to) { to.data_in_l2 = true; });
    ask("twice_the_schedulers", fmt::format("{} schedulers", 2 * gpu.schedulers_per_sm),
        "Twice the schedulers",
        fmt::format("{} schedulers per SM instead of {}", 2 * gpu.schedulers_per_sm, gpu.schedulers_per_sm),
        false, "", [&](TimingOptions& to) { to.schedulers = 2 * gpu.schedulers_per_sm; });
    ask("round_robin", "Warps in turn", "Taking warps in turn",
        "a scheduler takes the next warp in turn, instead of staying with one while it can issue", false, "",
        [](TimingOptions& to) { to.policy = SchedulerPolicy::round_robin; });
    ask("twice_the_sms", fmt::format("{} SMs", 2 * gpu.sm_count), "Twice the SMs",
        fmt::format("{} SMs instead of {}, on the same L2 and DRAM", 2 * gpu.sm_count, gpu.sm_count), false,
        gpu.sm_count == 0             ? "the number of SMs is not known"
        : facts.blocks_for_an_sm <= 1 ? "no SM is given more than one block"
                                      : "",
        [&](TimingOptions& to) { to.sm_count = 2 * gpu.sm_count; });
    return what_if;
}

bool answer_next(WhatIf& what_if, const AskCycles& ask) {
    const auto next = std::ranges::find_if(what_if.answers, &WhatIfAnswer::open);
    if (next == what_if.answers.end()) return false;
    const Result<double> cycles = ask(next->options);
    if (!cycles) next->failure = cycles.error().message;
    else if (*cycles > 0) next->cycles = *cycles;
    else next->failure = "the model gave no time";
    return true;
}

namespace {

template <class Each>
void each_knob(Each&& each) {
    each(&TimingOptions::max_resident_warps);
    each(&TimingOptions::schedulers);
    each(&TimingOptions::policy);
    each(&TimingOptions::dram_latency_factor);
    each(&TimingOptions::sm_count);
    each(&TimingOptions::ignore_register_limit);
    each(&TimingOptions::ignore_shared_limit);
    each(&TimingOptions::ignore_block_limit);
    each(&TimingOptions::no_bank_conflicts);
    each(&TimingOptions::perfect_coalescing);
    each(&TimingOptions::full_warps);
    each(&TimingOptions::combine_atomics);
    each(&TimingOptions::data_in_l2);
}

}  // namespace

TimingOptions with_question(TimingOptions knobs, const TimingOptions& question, bool turned) {
    const TimingOptions usual;
    each_knob([&](auto knob) {
        if (question.*knob != usual.*knob) knobs.*knob = turned ? question.*knob : usual.*knob;
    });
    return knobs;
}

bool is_turned(const TimingOptions& knobs, const TimingOptions& question) {
    const TimingOptions usual;
    bool all = question != usual;
    each_knob(
        [&](auto knob) { all = all && (question.*knob == usual.*knob || knobs.*knob == question.*knob); });
    return all;
}

std::vector<std::size_t> by_effect(const WhatIf& what_if) {
    std::vector<std::size_t> order(what_if.answers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t at) {
        const WhatIfAnswer& answer = what_if.answers[at];
        return answer.cycles > 0 ? 0 : answer.open() ? 1 : answer.failure.empty() ? 3 : 2;
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return what_if.answers[a].cycles < what_if.answers[b].cycles;
    });
    return order;
}

std::string effect_words(double baseline_cycles, double cycles) {
    if (baseline_cycles <= 0) return {};
    if (std::llround(baseline_cycles) == std::llround(cycles)) return "no change";
    return analysis::signed_percent((cycles / baseline_cycles - 1) * 100);
}

std::string notes_on_answers(const WhatIf& what_if) {
    const auto differs = [&](const WhatIfAnswer& answer) {
        return answer.cycles > 0 && effect_words(what_if.baseline_cycles, answer.cycles) != "no change";
    };
    const auto is_small = [&](const WhatIfAnswer& answer) {
        return analysis::same_time(answer.cycles, what_if.baseline_cycles, analysis::model_error);
    };
    std::vector<std::string> notes;
    for (const WhatIfAnswer& answer : what_if.answers) {
        if (!differs(answer) || is_small(answer) || answer.cycles < what_if.baseline_cycles) continue;
        if (answer.name == "twice_the_schedulers")
            notes.push_back(fmt::format(
                "{} take longer here: the model gives each its own queues and pipes, but one L1, one shared "
                "memory and one port to L2 serve all of them, and requests reach those in another order.",
                answer.title));
        if (answer.name == "half_dram_latency" || answer.name == "data_in_l2")
            notes.push_back(
                fmt::format("{} takes longer here: data arrive earlier, and the requests that follow "
                            "them reach L1, L2 and DRAM in another order.",
                            answer.deed));
        if (answer.name == "perfect_coalescing")
            notes.push_back(fmt::format(
                "{} takes longer here: threads find in L1 what their earlier requests brought, and "
                "with neighbouring lanes each request waits for its own sectors.",
                answer.deed));
    }
    if (std::ranges::any_of(what_if.answers,
                            [&](const WhatIfAnswer& answer) { return differs(answer) && is_small(answer); }))
        notes.push_back(fmt::format("Differences of up to {} are within the model's error.",
                                    percent(analysis::model_error)));
    return fmt::format("{}", fmt::join(notes, " "));
}

std::string what_helps_most(const WhatIf& what_if) {
    if (what_if.baseline_cycles <= 0 || what_if.answers.empty()) return {};
    const WhatIfAnswer* kernel = nullptr;
    const WhatIfAnswer* hardware = nullptr;
    for (const WhatIfAnswer& answer : what_if.answers) {
        if (answer.cycles <= 0 || answer.cycles >= what_if.baseline_cycles ||
            analysis::same_time(answer.cycles, what_if.baseline_cycles, analysis::model_error))
            continue;
        const WhatIfAnswer*& best = answer.of_kernel ? kernel : hardware;
        if (best == nullptr || answer.cycles < best->cycles) best = &answer;
    }
    const auto cycles = [](double count) { return grouped(static_cast<std::uint64_t>(std::llround(count))); };
    const auto saving = [&](const WhatIfAnswer& answer) {
        return fmt::format("{} → {} cycles ({})", cycles(what_if.baseline_cycles), cycles(answer.cycles),
                           effect_words(what_if.baseline_cycles, answer.cycles));
    };
    const std::string more =
        fmt::format("faster by more than the model's error of {}", percent(analysis::model_error));
    const std::string asked = what_if.complete() ? "" : "So far: ";
    if (kernel) return fmt::format("{}{} would help most: {}", asked, kernel->deed, saving(*kernel));
    if (!what_if.complete()) return "Asking the model …";
    if (hardware)
        return fmt::format(
            "No change of the kernel that the model tried makes it {}; of the changes of "
            "the GPU and its state, {}{} would help most: {}",
            more, static_cast<char>(std::tolower(static_cast<unsigned char>(hardware->deed.front()))),
            hardware->deed.substr(1), saving(*hardware));
    const bool any =
        std::ranges::any_of(what_if.answers, [](const WhatIfAnswer& one) { return one.cycles > 0; });
    if (!any) return "The model could try no change";
    return fmt::format("No change that the model tried makes the kernel {}", more);
}

}  // namespace warplens::app
