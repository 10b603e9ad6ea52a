// Measured against modelled: compares a GPU's measurements of a launch with the timing model, per metric and
// per warp. The measured times are those of the light recording, which slows the kernel; each row notes other
// reasons for differences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/launch_report.h"
#include "core/gpu_spec.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace warplens::analysis {

/// One number as computed from the program (exact), as measured on a GPU, and as modelled.
struct ComparedMetric {
    std::string name;  // "Block duration"
    std::string key;   // "block_cycles"
    std::string unit;  // "cycles", "µs", "%", "blocks", "warps", "registers"
    std::string help;  // one sentence: what the number is
    std::string note;  // one sentence: why the sides may differ
    std::optional<double> exact, measured, modelled;
    /// The measured value is of a launch that recording slowed by a tenth or more, so the modelled one, of
    /// the kernel alone, is not a fair comparison.
    bool slowed = false;

    /// Relative difference of the modelled value (or, without one, the exact value) from the measured one, in
    /// percent: +20 if it is a fifth too large. Shares in % are compared the same way. std::nullopt if a side
    /// is missing or the measured value is 0.
    std::optional<double> difference_percent() const;
};

/// "Two events around the launch take 1.4 µs of its measured and of its modelled time." (StreamCosts)
std::string events_words();

/// Of a recording with a clock for each pass (MeasuredSummary::every_pass): that this has its price.
std::string every_pass_words();

/// Empty if nothing was measured. `report` and `schedule` may be null: their sides are then absent.
std::vector<ComparedMetric> measured_against_modelled(const trace::Trace& trace, const LaunchReport* report,
                                                      const trace::Schedule* schedule, const GpuSpec& gpu);

/// A warp in the model and on the GPU. Cycles of each side's SM: the model's count from its first block's
/// arrival, the GPU's from Measured's zero of the SM.
struct WarpPair {
    std::uint32_t scheduled = 0;        // index into Schedule::warps
    std::uint32_t measured = no_index;  // into Measured::warps; no_index: not measured
    std::uint32_t modelled_begin = 0, modelled_end = 0, modelled_barrier_cycles = 0;
    std::uint32_t measured_begin = 0, measured_end = 0, measured_barrier_cycles = 0;
};

/// One for every ScheduledWarp, in order; the Trace contains the Measured.
std::vector<WarpPair> align(const trace::Trace& trace, const trace::Schedule& schedule);

}  // namespace warplens::analysis
