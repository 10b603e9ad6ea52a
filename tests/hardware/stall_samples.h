// StallAgreement: how well the modelled warp-cycles of a kernel's instructions, state by state, agree with
// the samples of a profiler in h200_machine_stalls.csv.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
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
    /// Samples that have the right state, whatever their instruction: 1 minus half the sum of differences.
    double shares = 0;
};

/// Below 16 samples chance alone changes a count by more than a quarter (standard deviation √n).
constexpr double enough_samples = 16;

using SitesByState = std::map<std::uint64_t, ByWarpState<double>>;

/// By byte offset. A kernel without rows gives an empty map.
inline SitesByState sampled_states(const std::string& kernel) {
    static std::map<std::string, SitesByState> kernels;
    if (kernels.empty())
        for (const MeasuredRow& row : read_measured_table("h200_machine_stalls.csv")) {
            ByWarpState<double>& states = kernels[row.text("kernel")][row.number("offset")];
            for (const WarpStateInfo& info : warp_states)
                states[info.state] = row.real(std::string(info.name));
        }
    return kernels[kernel];
}

/// The profiler finds a warp that drains at the instruction after its EXIT.
inline SitesByState modelled_states(const TimingRun& run) {
    SitesByState out;
    for (SiteId site = 0; site < run.schedule.site_states.size(); ++site)
        for (const WarpStateInfo& info : warp_states) {
            const std::uint64_t at = site + (info.state == WarpState::drain ? 1 : 0);
            out[at * 16][info.state] += double(run.schedule.site_states[site][info.state]);
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

inline StallAgreement agreement_of(const std::string& kernel, const TimingRun& run) {
    SitesByState measured = sampled_states(kernel), modelled = modelled_states(run);
    const double samples = sum_of(measured), scale = samples / sum_of(modelled);
    StallAgreement out{kernel, {}, static_cast<std::uint64_t>(samples)};
    for (const auto& [offset, states] : measured) modelled[offset];
    ByWarpState<double> differences;
    std::vector<double> all_measured, all_modelled, some_measured, some_modelled;
    for (const auto& [offset, states] : modelled) {
        const double a = sum_of(measured[offset]), b = sum_of(states) * scale;
        for (const WarpStateInfo& info : warp_states)
            differences[info.state] += measured[offset][info.state] - states[info.state] * scale;
        if (a == 0 && b == 0) continue;
        all_measured.push_back(a);
        all_modelled.push_back(b);
        if (std::max(a, b) < enough_samples) continue;
        some_measured.push_back(a);
        some_modelled.push_back(b);
    }
    double apart = 0;
    for (const WarpStateInfo& info : warp_states) apart += std::abs(differences[info.state]);
    out.shares = 1 - apart / 2 / samples;
    out.instructions = all_measured.size();
    out.sampled = some_measured.size();
    out.rank_all = rank_correlation(all_measured, all_modelled);
    if (out.sampled > 2) out.rank_sampled = rank_correlation(some_measured, some_modelled);
    return out;
}

/// The kernels of `set` with at least 1000 samples.
inline std::vector<StallAgreement> compare_stalls(const std::string& set) {
    std::vector<StallAgreement> out;
    for (const MeasuredRow& row : read_measured_table("h200_machine_times.csv")) {
        const std::string kernel = row.text("kernel");
        if (row.text("set") != set || sum_of(sampled_states(kernel)) < 1000) continue;
        const auto run = run_case(machine_case(set, kernel, Level::machine));
        if (run) out.push_back(agreement_of(kernel, *run));
        else out.push_back({kernel, run.error().message});
    }
    return out;
}

}  // namespace warplens::hardware
