// Shared counters: whether warps take numbers, such as those of tiles to work on, from a counter in global
// memory. If they are work, the blocks that were executed have taken what all blocks of the grid would share.
// What the numbers are for is not followed.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/timing/machine_code.h"
#include "trace/trace.h"

namespace warplens::simt {

/// Whether one of these warps executes, more than once, an integer addition to global memory whose result is
/// used. `warps`: indices into Trace::warps.
bool takes_numbers(const trace::Trace& trace, const std::vector<std::uint32_t>& warps,
                   const MachineProgram& code);

/// Whether one of them executes a compare-and-swap in global memory more than once: an attempt fails where
/// another block changes the word meanwhile, and is made again.
bool swaps_again(const trace::Trace& trace, const std::vector<std::uint32_t>& warps);

}  // namespace warplens::simt
