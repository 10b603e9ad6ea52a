// MeasuredSummary: what a GPU's own clocks say of a launch, summed up for reports and views. Measured, all of
// it, while the launch was recorded (timed_perturbation): that cost is in every time but the clean one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/provenance.h"
#include "trace/measured.h"

namespace warplens::analysis {

/// Three numbers of many: cycles or what the name says.
struct Spread {
    double min = 0, median = 0, max = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// Of no values all 0; of an even number the median is the mean of the two in the middle.
Spread spread_of(std::vector<double> values);

struct MeasuredSummary {
    static constexpr Provenance provenance = Provenance::measured;

    /// One SM. Cycles count from Measured's zero of the SM, microseconds from the launch's first warp.
    struct Sm {
        std::uint16_t sm = 0;
        std::uint32_t begin = 0, end = 0;     // cycles: of its first warp's begin, of its last one's end
        double begin_us = 0, end_us = 0;      // 0 when the clock's rate is not known
        double busy = 0;                      // mean resident warps from begin to end
        std::uint32_t blocks = 0, warps = 0;  // that ran on it
        std::uint32_t most_blocks = 0, most_warps = 0;  // resident at once
        std::uint32_t cycles() const { return end - begin; }
    };

    double clock_hz = 0;                 // 0: the launch was too short to tell
    double timer_bound_us = 0;           // how far two SMs' times may be off against each other
    double clean_us = 0, traced_us = 0;  // the kernel without recording and with; 0: not run
    double launch_us = 0;      // from the first warp's begin to the last one's end; 0 without a clock
    double launch_cycles = 0;  // the same; without a clock the longest SM's own
    double clean_cycles = 0;   // clean_us at clock_hz
    std::uint64_t blocks = 0, warps = 0;  // that were timed
    std::uint64_t blocks_in_grid = 0;     // 0: not known
    Spread block_cycles;                  // from a block's first warp's begin to its last one's end
    double block_us_min = 0, block_us_median = 0, block_us_max = 0;
    std::uint64_t warp_cycles = 0;  // resident warps summed over cycles
    std::uint64_t barrier_cycles =
        0;  // of them between arriving at a barrier and going on: exact sums of clocks
    std::uint64_t barrier_waits = 0;
    double barrier_share = 0;  // of the cycles of the warps whose visits are known, 0 to 1
    std::uint32_t most_blocks = 0, most_warps = 0;  // resident on an SM at once
    double waves = 0;                               // blocks over what all SMs that ran any held at once
    double imbalance = 0;                           // longest SM's span over the mean one's; 1: even
    std::vector<Sm> sms;                            // ascending

    /// Not every block was timed. What holds of an SM or of the launch as a whole is then not known and 0:
    /// its span, what was resident, waves and imbalance.
    bool sampled() const { return blocks_in_grid > blocks; }
    /// Traced over clean time; 0 when either is not known.
    double slowdown() const { return clean_us > 0 ? traced_us / clean_us : 0; }
};

/// `blocks_in_grid`: of the launch; 0 takes every block as timed.
MeasuredSummary summarise(const trace::Measured& measured, std::uint64_t blocks_in_grid = 0);

/// From `cycle` on an SM held so many.
struct Residency {
    std::uint32_t cycle = 0;
    std::uint32_t blocks = 0, warps = 0;
    friend bool operator==(const Residency&, const Residency&) = default;
};
/// One entry for each cycle in which it changes; the last holds none.
std::vector<Residency> residency(const trace::Measured& measured, std::uint16_t sm);

/// Cycles in which a warp stood at a barrier; where lanes that are apart wait at once they count once.
std::uint64_t barrier_cycles(const trace::Measured& measured, const trace::MeasuredWarp& warp);

std::span<const trace::MeasuredVisit> visits_of(const trace::Measured& measured,
                                                const trace::MeasuredWarp& warp);
/// nullptr when that warp was not measured. Binary search.
const trace::MeasuredWarp* find_measured(const trace::Measured& measured, std::uint64_t block,
                                         std::uint32_t warp);
/// The cost of a mode ("light"); nullptr when it was not run.
const trace::Perturbation* perturbation_of(const trace::Measured& measured, std::string_view mode);
/// Of the recording that the times come from: the light one's, or where it was not run the proof's, which is
/// light and hashes; else the first. nullptr when none is told of.
const trace::Perturbation* timed_perturbation(const trace::Measured& measured);
/// Nanoseconds from the launch's first warp to a cycle of `sm`; 0 when the clock's rate is not known.
double launch_ns(const trace::Measured& measured, std::uint16_t sm, std::uint32_t cycle);

}  // namespace warplens::analysis
