// Measured against modelled: what a GPU's clocks said of a launch beside what the timing model says of it,
// metric by metric, and warp by warp. Nothing is hidden in it: the measured times are those of the light
// recording, which slows the kernel, and each row says what else may set the two apart.
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

/// One number as it follows from the program (exact), as a GPU measured it, as the model has it.
struct ComparedMetric {
    std::string name;  // "Block duration"
    std::string key;   // "block_cycles"
    std::string unit;  // "cycles", "µs", "%", "blocks", "warps", "registers"
    std::string help;  // one sentence: what the number is
    std::string note;  // one sentence: what may set the sides apart
    std::optional<double> exact, measured, modelled;

    /// How far the model (or where it says nothing, what is exact) is from the measured value, of that, in
    /// percent: +20 when it is a fifth too much. For shares in % it is the same of the shares. Nothing when a
    /// side is missing or the measured one is 0.
    std::optional<double> difference_percent() const;
};

/// Empty when nothing was measured. `report` and `schedule` may be null: their sides are absent then.
std::vector<ComparedMetric> measured_against_modelled(const trace::Trace& trace, const LaunchReport* report,
                                                      const trace::Schedule* schedule, const GpuSpec& gpu);

/// A warp as the model ran it and as the GPU did. Cycles of each side's own SM: the model's count from its
/// first block's arrival, the GPU's from Measured's zero of the SM.
struct WarpPair {
    std::uint32_t scheduled = 0;        // index into Schedule::warps
    std::uint32_t measured = no_index;  // into Measured::warps; no_index: that warp was not measured
    std::uint32_t modelled_begin = 0, modelled_end = 0, modelled_barrier_cycles = 0;
    std::uint32_t measured_begin = 0, measured_end = 0, measured_barrier_cycles = 0;
};

/// One for every ScheduledWarp, in their order; the Trace has the Measured.
std::vector<WarpPair> align(const trace::Trace& trace, const trace::Schedule& schedule);

}  // namespace warplens::analysis
