// MeasuredSummary: a summary of a GPU's clock readings of a launch, for reports and views. Everything is
// measured during the recording (timed_perturbation), whose cost is in every time except the clean one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/provenance.h"
#include "trace/measured.h"

namespace warplens::analysis {

/// Three statistics of a list of numbers.
struct Spread {
    double min = 0, median = 0, max = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};
/// All 0 for an empty list; the median of an even number of values is the mean of the middle two.
Spread spread_of(std::vector<double> values);

struct MeasuredSummary {
    static constexpr Provenance provenance = Provenance::measured;

    /// One SM. Cycles count from Measured's zero of the SM, microseconds from the launch's first warp.
    struct Sm {
        std::uint16_t sm = 0;
        std::uint32_t begin = 0, end = 0;               // cycles: its first warp's begin, its last one's end
        double begin_us = 0, end_us = 0;                // 0 if the clock's rate is not known
        double busy = 0;                                // mean resident warps from begin to end
        std::uint32_t blocks = 0, warps = 0;            // that ran on this SM
        std::uint32_t most_blocks = 0, most_warps = 0;  // resident at the same time
        std::uint32_t cycles() const { return end - begin; }
    };

    double clock_hz = 0;                 // 0: the launch was too short to measure it
    double timer_bound_us = 0;           // bound on the offset between two SMs' times
    double clean_us = 0, traced_us = 0;  // the kernel without and with recording; 0: not run
    double launch_us = 0;      // from the first warp's begin to the last one's end; 0 without a clock
    double launch_cycles = 0;  // the same; without a clock those of the longest SM
    double clean_cycles = 0;   // clean_us at clock_hz
    std::uint64_t blocks = 0, warps = 0;  // timed
    std::uint64_t blocks_in_grid = 0;     // 0: not known
    Spread block_cycles;                  // from a block's first warp's begin to its last one's end
    double block_us_min = 0, block_us_median = 0, block_us_max = 0;
    std::uint64_t warp_cycles = 0;     // resident warps, summed over cycles
    std::uint64_t barrier_cycles = 0;  // of these, waiting at barriers: exact sums of clocks
    std::uint64_t barrier_waits = 0;
    double barrier_share = 0;  // of the cycles of the warps whose visits are known, 0 to 1
    /// Whether loops ran and each pass of each loop has a clock of its own (`record --every-pass`). Reading
    /// it costs more than the recorder's default, which leaves out what it can derive.
    bool every_pass = false;
    std::uint32_t most_blocks = 0, most_warps = 0;  // resident on an SM at the same time
    /// That fit on an SM while it was recorded, as the driver computes them; not known: `most_blocks`.
    std::uint32_t blocks_that_fit = 0;
    std::uint32_t sm_count = 0;  // of the GPU; not known: those that ran any block
    double waves = 0;            // blocks divided by those that fit on all of these SMs
    double imbalance = 0;        // the longest SM's span divided by the mean; 1: even
    std::vector<Sm> sms;         // ascending

    /// Whether some blocks were not timed. Figures of an SM or of the whole launch are then unknown and 0:
    /// spans, residency, waves and imbalance.
    bool sampled() const { return blocks_in_grid > blocks; }
    /// Traced time divided by clean time; 0 if either is not known.
    double slowdown() const { return clean_us > 0 ? traced_us / clean_us : 0; }
};

/// `blocks_in_grid`: of the launch; 0 assumes that every block was timed.
MeasuredSummary summarise(const trace::Measured& measured, std::uint64_t blocks_in_grid = 0);

/// A block on its SM, from its first warp's begin to its last one's end: cycles of that SM.
struct MeasuredBlock {
    std::uint64_t block = 0;
    std::uint16_t sm = 0;
    std::uint32_t begin = 0, end = 0;
    std::uint32_t cycles() const { return end - begin; }
};
/// Every block that was timed, ascending. All views take block durations from here.
std::vector<MeasuredBlock> measured_blocks(const trace::Measured& measured);
/// nullptr if `block` is not in `blocks`. Binary search.
const MeasuredBlock* find_block(const std::vector<MeasuredBlock>& blocks, std::uint64_t block);

/// The resident blocks and warps of an SM from `cycle` on.
struct Residency {
    std::uint32_t cycle = 0;
    std::uint32_t blocks = 0, warps = 0;
    friend bool operator==(const Residency&, const Residency&) = default;
};
/// One entry for each cycle in which it changes; the last entry is 0.
std::vector<Residency> residency(const trace::Measured& measured, std::uint16_t sm);

/// Cycles in which a warp waited at a barrier; simultaneous waits of diverged lanes count once.
std::uint64_t barrier_cycles(const trace::Measured& measured, const trace::MeasuredWarp& warp);

std::span<const trace::MeasuredVisit> visits_of(const trace::Measured& measured,
                                                const trace::MeasuredWarp& warp);
/// nullptr if that warp was not measured. Binary search.
const trace::MeasuredWarp* find_measured(const trace::Measured& measured, std::uint64_t block,
                                         std::uint32_t warp);
/// The cost of a mode ("light"); nullptr if it was not run.
const trace::Perturbation* perturbation_of(const trace::Measured& measured, std::string_view mode);
/// The cost of the recording that the times are from: light, or if it was not run proof, which is light plus
/// hashes; else the first. nullptr if there is none.
const trace::Perturbation* timed_perturbation(const trace::Measured& measured);
/// Nanoseconds from the launch's first warp to a cycle of `sm`; 0 if the clock's rate is not known.
double launch_ns(const trace::Measured& measured, std::uint16_t sm, std::uint32_t cycle);

}  // namespace warplens::analysis
