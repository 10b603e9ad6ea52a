// StallAgreement: how well the modelled warp-cycles of a kernel's instructions, state by state, agree with
// the samples of a profiler in h200_machine_stalls.csv.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/warp_state.h"
#include "tests/hardware/correlation.h"
#include "tests/hardware/timing_tables.h"

namespace warplens::hardware {

struct StallAgreement {
    std::string kernel, problem;  // problem: why there are no figures; empty when there are
    std::uint64_t samples = 0;
    std::size_t instructions = 0, sampled = 0;
    double rank_all = 0;      // correlation of ranks: samples and modelled cycles of each instruction
    double rank_sampled = 0;  // the same of those that have, or should have, `enough_samples`
    double ceiling = 0;       // what chance leaves of `rank_all` if the model is right
    /// Samples that have the right state, whatever their instruction: 1 minus half the sum of differences.
    double shares = 0;
    ByWarpState<double> sampled_in{}, expected_in{};  // of all instructions
    ByWarpState<double> rank_with_right{};  // `rank_all`, had the model exactly the samples of this state
};

/// Below 16 samples chance alone changes a count by more than a quarter (standard deviation √n).
constexpr double enough_samples = 16;

using SitesByState = std::map<std::uint64_t, ByWarpState<double>>;

/// By byte offset. A kernel without rows gives an empty map.
inline SitesByState sampled_states(const std::string& kernel, const std::string& gpu = "H200",
                                   const std::string& table = "machine_stalls.csv") {
    static std::map<std::string, std::map<std::string, SitesByState>> tables;
    auto& kernels = tables[table_of(gpu, table)];
    if (kernels.empty())
        for (const MeasuredRow& row : read_measured_table(table_of(gpu, table))) {
            ByWarpState<double>& states = kernels[row.text("kernel")][row.number("offset")];
            for (const WarpStateInfo& info : warp_states)
                states[info.state] = row.real(std::string(info.name));
        }
    return kernels[kernel];
}

/// By cycle: the sum, over the cycles before it, of one divided by the warps that were resident in each.
inline std::vector<double> chances_before(const trace::Schedule& schedule) {
    std::vector<int> changes;
    const auto change = [&](std::uint32_t cycle, int by) {
        if (changes.size() <= cycle) changes.resize(cycle + 1);
        changes[cycle] += by;
    };
    for (const trace::ScheduledWarp& warp : schedule.warps) {
        change(warp.arrival, 1);
        change(warp.departure, -1);
    }
    std::vector<double> out{0};
    int resident = 0;
    for (const int by : changes) {
        resident += by;
        out.push_back(out.back() + (resident > 0 ? 1.0 / resident : 0));
    }
    return out;
}

/// The samples that the profiler is expected to take, in some unit. It samples one of an SM's resident warps
/// every 32 cycles: the fewer there are, the more often each. It finds a warp at the instruction that is next
/// to issue, but at the one behind the last in the text until the stall count of that has ended, although a
/// branch may have been taken; one that ends is found behind its EXIT.
inline SitesByState modelled_states(const TimingRun& run) {
    const std::vector<double> chances = chances_before(run.schedule);
    SitesByState out;
    for (const trace::ScheduledWarp& warp : run.schedule.warps) {
        const auto spans = trace::spans_of(run.schedule, warp);
        std::size_t last_issue = spans.size();
        while (last_issue > 0 && spans[last_issue - 1].state() != WarpState::selected) --last_issue;
        std::uint64_t behind = 0;  // the instruction behind the last issued one
        bool counts = false;       // its stall count still lasts
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const bool ends = last_issue > 0 && i + 1 >= last_issue;
            if (spans[i].state() == WarpState::selected) {
                behind = spans[i].site() + std::uint64_t{1};
                counts = true;
            }
            counts =
                counts && (spans[i].state() == WarpState::selected || spans[i].state() == WarpState::wait);
            const std::uint64_t at = counts ? behind : spans[i].site() + (ends ? 1u : 0u);
            const std::uint32_t end = i + 1 < spans.size() ? spans[i + 1].begin : warp.departure;
            out[at * 16][spans[i].state()] += chances[end] - chances[spans[i].begin];
        }
    }
    return out;
}

inline double sum_of(const ByWarpState<double>& states) {
    double sum = 0;
    for (const WarpStateInfo& info : warp_states) sum += states[info.state];
    return sum;
}

inline double sum_of(const SitesByState& sites) {
    double sum = 0;
    for (const auto& [offset, states] : sites) sum += sum_of(states);
    return sum;
}

/// What was sampled of a kernel and what the model expects, the latter scaled to as many samples.
struct SampledSites {
    SitesByState measured, modelled;  // of the same instructions
    double samples = 0;
};

inline SampledSites sampled_sites(const std::string& kernel, const TimingRun& run, const std::string& gpu) {
    SampledSites out{sampled_states(kernel, gpu), modelled_states(run)};
    out.samples = sum_of(out.measured);
    const double scale = out.samples / sum_of(out.modelled);
    for (auto& [offset, states] : out.modelled) {
        for (double& value : states.values) value *= scale;
        out.measured[offset];
    }
    for (const auto& [offset, states] : out.measured) out.modelled[offset];
    return out;
}

/// Correlation of ranks of the instructions that have samples, or should have; `right`: as if the model had
/// exactly the samples of that state.
inline double rank_with_right(const SampledSites& sites, std::optional<WarpState> right) {
    std::vector<double> measured, modelled;
    for (const auto& [offset, states] : sites.measured) {
        const ByWarpState<double>& theirs = sites.modelled.at(offset);
        const double a = sum_of(states);
        double b = sum_of(theirs);
        if (a == 0 && b == 0) continue;
        if (right) b += states[*right] - theirs[*right];
        measured.push_back(a);
        modelled.push_back(b);
    }
    return rank_correlation(measured, modelled);
}

/// The correlation that the samples would have with what a perfect model expects: samples are split at random
/// into halves, whose correlation h says how well all of them repeat, 2h / (1 + h), and so how well they show
/// what they are drawn from: its root. Samples of one launch are less independent than these draws, because
/// all SMs are sampled in step: see docs/notebook/timing/stall_ranks.md.
inline double rank_ceiling(const SampledSites& sites) {
    constexpr int splits = 8;
    std::mt19937 random(1);
    double sum = 0;
    for (int i = 0; i < splits; ++i) {
        std::vector<double> first, second;
        for (const auto& [offset, states] : sites.measured) {
            const auto samples = static_cast<int>(sum_of(states));
            if (samples == 0 && sum_of(sites.modelled.at(offset)) == 0) continue;
            const int half = std::binomial_distribution<int>(samples, 0.5)(random);
            first.push_back(half);
            second.push_back(samples - half);
        }
        sum += rank_correlation(first, second);
    }
    const double halves = std::max(0.0, sum / splits);
    return std::sqrt(2 * halves / (1 + halves));
}

inline StallAgreement agreement_of(const std::string& kernel, const TimingRun& run, const std::string& gpu) {
    const SampledSites sites = sampled_sites(kernel, run, gpu);
    StallAgreement out{kernel, {}, static_cast<std::uint64_t>(sites.samples)};
    std::vector<double> measured, modelled;
    for (const auto& [offset, states] : sites.measured) {
        const double a = sum_of(states), b = sum_of(sites.modelled.at(offset));
        for (const WarpStateInfo& info : warp_states) {
            out.sampled_in[info.state] += states[info.state];
            out.expected_in[info.state] += sites.modelled.at(offset)[info.state];
        }
        out.instructions += a > 0 || b > 0 ? 1 : 0;
        if (std::max(a, b) < enough_samples) continue;
        measured.push_back(a);
        modelled.push_back(b);
    }
    double apart = 0;
    for (const WarpStateInfo& info : warp_states)
        apart += std::abs(out.sampled_in[info.state] - out.expected_in[info.state]);
    out.shares = 1 - apart / 2 / sites.samples;
    out.sampled = measured.size();
    out.rank_all = rank_with_right(sites, {});
    out.ceiling = rank_ceiling(sites);
    for (const WarpStateInfo& info : warp_states)
        out.rank_with_right[info.state] = rank_with_right(sites, info.state);
    if (out.sampled > 2) out.rank_sampled = rank_correlation(measured, modelled);
    return out;
}

/// The kernels of `set` with at least 1000 samples.
inline std::vector<StallAgreement> compare_stalls(const std::string& set, const std::string& gpu = "H200") {
    std::vector<StallAgreement> out;
    for (const MeasuredRow& row : read_measured_table(table_of(gpu, "machine_times.csv"))) {
        const std::string kernel = row.text("kernel");
        if (row.text("set") != set || sum_of(sampled_states(kernel, gpu)) < 1000) continue;
        const auto run = run_case(machine_case(set, kernel, Level::machine, false, gpu));
        if (run) out.push_back(agreement_of(kernel, *run, gpu));
        else out.push_back({kernel, run.error().message});
    }
    return out;
}

}  // namespace warplens::hardware
