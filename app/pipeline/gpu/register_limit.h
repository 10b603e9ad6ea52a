// How many registers a thread of a recording may have.
#pragma once

#include <cstdint>

#include "core/gpu_spec.h"
#include "instrumentation/rewrite/recording_plan.h"
#include "trace/trace.h"

namespace warplens::app {

/// How many more registers than the kernel light mode may have.
inline constexpr std::uint32_t most_more_registers = 6;

/// Light: six more than the kernel has, if that keeps as many blocks of the launch resident on an SM as it
/// can have there: its times are shown, and neither more nor fewer registers shall change them. Proof: only
/// what residency needs, where six more would be too many. Full, or where the kernel's registers are not
/// known: 0, no limit. `any_grid`: whatever the grid's size, so that a launch with another one needs no other
/// code. `spills`: under how many limits registers were kept in local memory (spills_more()). Light mode
/// then has as many as residency allows, and where these are too few, or in proof mode, there is no limit:
/// blocks that are not resident cost less than local memory.
std::uint32_t register_limit(instrumentation::RecordMode mode, const trace::Launch& launch,
                             const GpuSpec& gpu, bool any_grid, std::uint32_t spills);

/// Whether a recorded form keeps more than a few registers in local memory that the kernel itself does not.
/// Both in bytes.
constexpr bool spills_more(std::uint32_t recorded_local, std::uint32_t own_local) {
    constexpr std::uint32_t few = 16;
    return recorded_local > own_local + few;
}

}  // namespace warplens::app
