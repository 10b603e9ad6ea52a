// LaunchTime from one SM's schedule: the other blocks of the SM continue at the rate of the modelled ones,
// all SMs behave like this one in the mean, and the slowest is behind by what chance makes of waits; launch
// overhead is that of an empty kernel, of clocks that differ and of more than one block an SM.
#pragma once

#include "core/gpu_spec.h"
#include "core/sm_timing.h"
#include "simt/timing/launch_plan.h"
#include "simt/timing/memory_system.h"
#include "trace/schedule.h"

namespace warplens::simt {

/// Cycles by which the clock of the fastest SM, which a launch's cycles are, is ahead of the slowest SM's
/// after that many: clocks part when a launch begins, and settle (measured: docs/timing_model.md).
double clocks_apart(const SmTiming& timing, double cycles);

/// Cycles that a launch takes more beside its SMs where these have more than one block and take `sm_cycles`.
/// Short launches take none (measured: docs/timing_model.md).
double more_blocks_take(const SmTiming& timing, double sm_cycles);

/// `schedule` has its blocks and totals; `retirement_lag` is Sm's.
trace::LaunchTime launch_time(const trace::Schedule& schedule, const LaunchPlan& plan, const GpuSpec& gpu,
                              const SmTiming& timing, const MemorySystem& memory, double retirement_lag);

}  // namespace warplens::simt
